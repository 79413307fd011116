/** In pixels. */
export interface SvgSize {
  width: number;
  height: number;
}

/** Whether the root element of an XML text is `svg`. */
export function isSvgText(text: string): boolean {
  return rootTag(text) !== undefined;
}

/** Natural size of an SVG image: `drawn` if it has a width or height, otherwise the size of its viewBox instead of the browsers' default size. */
export function intrinsicSize(text: string, drawn: SvgSize): SvgSize {
  const tag = rootTag(text) ?? '';
  const hasLength = ['width', 'height'].some((side) => /^\s*\+?[\d.]/.test(attribute(tag, side) ?? '') && !attribute(tag, side)?.includes('%'));
  if (hasLength) return drawn;
  const [, , width = 0, height = 0] = (attribute(tag, 'viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return width >= 1 && height >= 1 ? { width: Math.round(width), height: Math.round(height) } : drawn;
}

/** The start tag of the root element, after declarations and comments. */
function rootTag(text: string): string | undefined {
  let at = 0;
  for (;;) {
    at = text.indexOf('<', at);
    if (at < 0) return undefined;
    if (text.startsWith('<!--', at)) at = after(text, '-->', at);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at);
    else if (text.startsWith('<!', at)) at = afterType(text, at);
    else break;
  }
  const tag = text.slice(at, after(text, '>', at));
  return /^<(?:svg:)?svg[\s/>]/.test(tag) ? tag : undefined;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** End of a DOCTYPE, which may contain declarations in brackets. */
function afterType(text: string, from: number): number {
  const [bracket, end] = [text.indexOf('[', from), text.indexOf('>', from)];
  return bracket >= 0 && bracket < end ? after(text, '>', after(text, ']', bracket) - 1) : after(text, '>', from);
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found?.[1] ?? found?.[2];
}
