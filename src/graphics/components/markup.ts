import { decodeEntities } from '../../script/index.js';

/** Text parsed from simple HTML: paragraphs with the face of every UTF-16 unit (0 plain, 1 bold, 2 italic, 3 both). */
export interface MarkedText {
  paragraphs: Array<{ text: string; faces: Uint8Array }>;
}

const bold = /^(b|strong|h[1-6])$/;
const italic = /^(i|em|cite)$/;
const breaking = /^(p|div|li|ul|ol|h[1-6]|tr)$/;

/** Parses simple HTML: line breaks and emphasis are kept, other tags are removed. Each item of an array starts a paragraph. */
export function parseMarkup(source: string | readonly string[]): MarkedText {
  const paragraphs = [source].flat().flatMap((paragraph) => parseParagraph(paragraph));
  return { paragraphs };
}

function parseParagraph(source: string): MarkedText['paragraphs'] {
  const reader = new Reader();
  const pattern = /<!--.*?-->|<(\/?)([a-z][a-z0-9]*)\b[^>]*>|[^<]+|</gis;
  for (const [all, closing, name] of source.matchAll(pattern)) {
    if (name !== undefined) reader.tag(name.toLowerCase(), closing === '/');
    else if (!all.startsWith('<!--')) reader.text(decodeEntities(all));
  }
  return reader.lines();
}

class Reader {
  readonly #lines: Array<{ text: string; faces: number[] }> = [{ text: '', faces: [] }];
  #bold = 0;
  #italic = 0;

  tag(name: string, closes: boolean): void {
    const step = closes ? -1 : 1;
    if (bold.test(name)) this.#bold = Math.max(0, this.#bold + step);
    else if (italic.test(name)) this.#italic = Math.max(0, this.#italic + step);
    if (name === 'br') this.#lines.push({ text: '', faces: [] });
    else if (breaking.test(name) && this.#last.text.trim() !== '') this.#lines.push({ text: '', faces: [] });
  }

  text(text: string): void {
    const face = (this.#bold > 0 ? 1 : 0) + (this.#italic > 0 ? 2 : 0);
    for (const [i, part] of text.split(/\r\n?|\n/).entries()) {
      // Line feeds break lines, as in text elements.
      if (i > 0) this.#lines.push({ text: '', faces: [] });
      const line = this.#last;
      line.text += part;
      for (let unit = 0; unit < part.length; unit++) line.faces.push(face);
    }
  }

  get #last(): { text: string; faces: number[] } {
    return this.#lines.at(-1) as { text: string; faces: number[] };
  }

  lines(): MarkedText['paragraphs'] {
    const lines = this.#lines.map(collapse);
    if (lines.length > 1 && lines.at(-1)?.text === '') lines.pop();
    return lines;
  }
}

/** Collapses white space like HTML and removes characters that fonts draw as boxes. */
function collapse({ text, faces }: { text: string; faces: number[] }): MarkedText['paragraphs'][number] {
  let collapsed = '';
  const collapsedFaces: number[] = [];
  for (let i = 0; i < text.length; i++) {
    let unit = text.charAt(i);
    if (/[\t\f\v ]/.test(unit)) unit = ' ';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
    if (/[\u0000-\u001f\u007f-\u009f]/.test(unit)) continue;
    if (isLoneSurrogate(text, i)) continue;
    if (unit === ' ' && (collapsed === '' || collapsed.endsWith(' '))) continue;
    collapsed += unit;
    collapsedFaces.push(faces[i] ?? 0);
  }
  if (collapsed.endsWith(' ')) collapsed = collapsed.slice(0, -1);
  return { text: collapsed, faces: Uint8Array.from(collapsedFaces.slice(0, collapsed.length)) };
}

function isLoneSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xd800 && code <= 0xdbff) return !(text.charCodeAt(at + 1) >= 0xdc00 && text.charCodeAt(at + 1) <= 0xdfff);
  return code >= 0xdc00 && code <= 0xdfff && !(text.charCodeAt(at - 1) >= 0xd800 && text.charCodeAt(at - 1) <= 0xdbff);
}

/** Whether a text has no visible characters. */
export function isBlank(text: string | readonly string[]): boolean {
  return parseMarkup(text).paragraphs.every((paragraph) => paragraph.text.replaceAll('\u00a0', ' ').trim() === '');
}
