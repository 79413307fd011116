import type { SpanLook, TextSpan } from '../../movie.js';
import { alternatives, fail, show } from '../../validation/fail.js';
import { decodeEntities } from '../../values/entities.js';
import { type SpanBasis, spanLook } from './span-style.js';

/** A text without its tags. */
export interface MarkedText {
  text: string;
  spans: TextSpan[];
  warnings: string[];
}

const maxSpans = 1000;
const maxLooks = 100;

/** What each tag changes. */
const tags: Readonly<Record<string, string>> = {
  b: 'font-weight: bolder',
  strong: 'font-weight: bolder',
  i: 'font-style: italic',
  em: 'font-style: italic',
  u: 'text-decoration: underline',
  s: 'text-decoration: line-through',
  mark: 'background: #ffe14d; color: #000000; text-shadow: none',
  span: '',
};

/** A tag that is not yet closed. */
interface OpenTag {
  name: string;
  look: SpanLook;
}

/** Parses the tags and character references of a text with `markup`. Throws SCHEMA_VALIDATION_ERROR at the path of the text. */
export function parseMarkup(source: string, basis: SpanBasis): MarkedText {
  const marked: MarkedText = { text: '', spans: [], warnings: [] };
  const open: OpenTag[] = [];
  for (const [all, closing, name = '', attributes = ''] of source.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s(?:[^>"']|"[^"]*"|'[^']*')*)?)>|[^<]+|</gi)) {
    if (name === '') append(marked, decodeEntities(all), open.at(-1)?.look);
    else if (closing === '/') close(open, name.toLowerCase(), basis.path);
    else open.push(openTag(name.toLowerCase(), attributes, open.at(-1)?.look ?? {}, { ...basis, warn: (warning) => marked.warnings.push(warning) }));
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) fail(basis.path, `text has <${unclosed.name}> without </${unclosed.name}>.`);
  if (marked.spans.length > maxSpans) fail(basis.path, `text has ${marked.spans.length} parts with markup; at most ${maxSpans} are allowed.`);
  const looks = new Set(marked.spans.map(({ look }) => JSON.stringify(look))).size;
  if (looks > maxLooks) fail(basis.path, `text has ${looks} different styles of parts; at most ${maxLooks} are allowed.`);
  return marked;
}

function append(marked: MarkedText, text: string, look: SpanLook | undefined): void {
  const start = marked.text.length;
  marked.text += text;
  const end = marked.text.length;
  const last = marked.spans.at(-1);
  if (look === undefined || end === start || Object.keys(look).length === 0) return;
  if (last?.look === look && last.end === start) last.end = end;
  else marked.spans.push({ start, end, look });
}

function openTag(name: string, attributes: string, around: SpanLook, basis: SpanBasis): OpenTag {
  const allowed = Object.keys(tags).map((tag) => `<${tag}>`);
  if (!Object.hasOwn(tags, name))
    fail(basis.path, `text has <${name}>, but with markup its tags must be ${alternatives([...allowed, '<br>'])}; write &lt; for <.`);
  const preset = spanLook(tags[name] as string, around, { ...basis, tag: name });
  return { name, look: spanLook(styleOf(name, attributes, basis.path), preset, { ...basis, tag: name }) };
}

/** The value of the `style` attribute. */
function styleOf(name: string, attributes: string, path: string): string {
  if (attributes.trim() === '') return '';
  const [, style] = /^\s*style\s*=\s*("[^"]*"|'[^']*')\s*$/i.exec(attributes) ?? [];
  if (style === undefined) fail(path, `text has <${name}${attributes}>, but tags have no attribute but style="…"; not ${show(attributes.trim())}.`);
  return decodeEntities(style.slice(1, -1));
}

function close(open: OpenTag[], name: string, path: string): void {
  const last = open.pop();
  if (last?.name === name) return;
  fail(path, last === undefined ? `text has </${name}> without <${name}>.` : `text has </${name}> where </${last.name}> must close <${last.name}>.`);
}
