import type { HtmlPage } from './page.js';
import { cssString, internalOrigin, type PageFonts } from './page-fonts.js';

const urlFontFamily = 'framewright-font-by-url';

/** Builds the document of a page with `html`: wraps a snippet, or adds styles to a complete document. */
export function composeDocument(page: HtmlPage, fonts: PageFonts): string {
  const { html = '', width, height, tailwind } = page;
  const css = { ...page.css };
  const byUrl: Record<string, string> = { ...page.fonts };
  const family = css['font-family'];
  if (family !== undefined && /^https?:\/\//i.test(family.trim())) {
    byUrl[urlFontFamily] = family.trim();
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
  // The wrapper is added only if there are settings and is not a div, so that the snippet's own rules for body and div apply to its elements only.
  const body = declarations === '' ? html : `<framewright-root style="${attribute(root)}">${html}</framewright-root>`;
  return `<!doctype html><html><head><meta charset="utf-8">${head}<style>html,body{width:${width}px;height:${height}px;overflow:hidden}</style></head><body>${body}</body></html>`;
}

/** Whether HTML is a complete document instead of a snippet. */
export function isWholeDocument(html: string): boolean {
  return /<html[\s>]|<!doctype\s/i.test(html);
}

/** Inserts at the start of the head, so that the author's own styles win. */
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
