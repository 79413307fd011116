import type { HtmlElement } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { type ElementContext, parseUrl } from './context.js';
import { parseTimed } from './timed.js';
import { parseVisual } from './visual.js';

/** Parses an html element. */
export function parseHtml(fields: Fields, path: string, context: ElementContext): HtmlElement {
  return {
    type: 'html',
    ...parseTimed(fields, path, context),
    ...parseVisual('html', fields, context),
    ...parsePage(fields, context),
    tailwind: fields.flag('tailwind') || fields.flag('tailwindcss'),
    wait: fields.number('wait'),
    dpi: fields.number('dpi'),
    css: parseCss(fields.find('settings')?.value),
  };
}

/** A snippet wins over a URL, because JSON2Video's editor leaves both. */
function parsePage(fields: Fields, context: ElementContext): { html: string } | { src: string } {
  const html = fields.optionalString('html');
  if (html !== undefined && html.trim() !== '') return { html };
  if (fields.find('src') === undefined) fail(fields.pathOf('html'), "An html element needs the property 'html' with a page or snippet, or 'src' with its URL.");
  return { src: parseUrl(fields, 'src', context) };
}

function parseCss(settings: unknown): Record<string, string> {
  const entries = Object.entries((settings ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries
      .filter(([name, value]) => value !== null && !name.startsWith('_') && /^-{0,2}[a-z][a-z0-9_-]*$/i.test(name))
      .map(([name, value]) => [name.startsWith('--') ? name : styleName(name), String(value)]),
  );
}

/** Converts `backgroundColor` and `background_color` to CSS names. Vendor prefixes stay, because a browser reads the result. */
function styleName(name: string): string {
  const isCamel = !/[-_]/.test(name) && /[a-z][A-Z]/.test(name);
  return isCamel ? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : name.replaceAll('_', '-');
}
