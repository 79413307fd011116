import type { HtmlPage } from './page.js';
import { cssString, internalOrigin, type PageFonts } from './page-fonts.js';

const urlFontFamily = 'framewright-font-by-url';

/** The document that is shown for a page with `html`. A document of its own keeps its structure. */
export function composeDocument(page: HtmlPage, fonts: PageFonts): string {
  const { html = '', width, height, tailwind } = page;
  const css = { ...page.css };
  const byUrl: Record<string, string> = { ...page.fonts };
  const asked = css['font-family'];
  if (asked !== undefined && /^https?:\/\//i.test(asked.trim())) {
    byUrl[urlFontFamily] = asked.trim();
    css['font-family'] = urlFontFamily;
  }
  const text = [html, ...Object.values(css), tailwind ? '-apple-system ui-sans-serif ui-serif ui-monospace' : ''].join(' ');
  const rules = [fonts.rulesFor(text), ...Object.entries(byUrl).map(([family, url]) => `@font-face{font-family:${cssString(family)};src:url(${cssUrl(url)})}`)];
  const head = [
    `<style>${rules.join('\n')}</style>`,
    '<style>html,body{margin:0;padding:0;background:transparent}</style>',
    ...(tailwind ? [`<script src="${internalOrigin}/tailwind.js"></script>`] : []),
  ].join('');
  const declarations = Object.entries(css)
    .filter(([name]) => /^-{0,2}[a-z][a-z0-9-]*$/i.test(name))
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
  if (isWholeDocument(html)) return intoHead(html, `${head}${declarations === '' ? '' : `<style>body{${declarations.replaceAll('<', '')}}</style>`}`);
  const root = `display:block;box-sizing:border-box;width:${width}px;height:${height}px;${declarations}`;
  // Nothing stands between the body and the snippet that has no settings, and what carries settings is no div: the snippet's own rules for body and div are about it alone.
  const body = declarations === '' ? html : `<framewright-root style="${attribute(root)}">${html}</framewright-root>`;
  return `<!doctype html><html><head><meta charset="utf-8">${head}<style>html,body{width:${width}px;height:${height}px;overflow:hidden}</style></head><body>${body}</body></html>`;
}

export function isWholeDocument(html: string): boolean {
  return /<html[\s>]|<!doctype\s/i.test(html);
}

/** Before the author's own styles, which win. */
function intoHead(html: string, added: string): string {
  const place = /<head(?:\s[^>]*)?>/i.exec(html) ?? /<html(?:\s[^>]*)?>/i.exec(html) ?? /<!doctype[^>]*>/i.exec(html);
  const at = place === null ? 0 : place.index + place[0].length;
  return `${html.slice(0, at)}<meta charset="utf-8">${added}${html.slice(at)}`;
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const cssUrl = (url: string): string => `"${encodeURI(decodeSafely(url)).replaceAll('"', '%22').replaceAll('<', '%3C').replaceAll('\\', '%5C')}"`;

function decodeSafely(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
