import type { ComponentElement } from '../movie.js';
import { defaultTheme, parseTheme } from '../theme.js';
import { fail, propertyName } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import type { ElementContext } from './context.js';
import { parseTimed } from './timed.js';
import { parseVisual } from './visual.js';

/** Parses a component element; its settings are validated if components are installed. */
export function parseComponent(fields: Fields, path: string, context: ElementContext): ComponentElement {
  const component = fields.string('component');
  const settings = (fields.find('settings')?.value ?? {}) as Record<string, unknown>;
  const theme = parseTheme(fields, context.theme ?? defaultTheme, context.checkUrl);
  const known = context.components?.check(component, settings, path, theme);
  for (const { path: setting, url } of known?.media ?? []) {
    const reason = context.checkUrl(url);
    if (reason !== undefined) fail(setting, `${propertyName(setting)} is refused: ${reason}.`);
  }
  return {
    type: 'component',
    ...parseTimed(fields, path, context),
    ...parseVisual('component', fields, context),
    component,
    settings,
    theme,
    media: known?.media ?? [],
    ...(known === undefined ? {} : { seconds: known.seconds }),
  };
}
