import type { Span, WordStyle } from './cue.js';
import { captionLimits } from './cue.js';
import { parseTimestamp } from './timestamp.js';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' };
type Flag = Exclude<keyof WordStyle, 'speaker' | 'loud'>;
const styleOfTag: ReadonlyMap<string, Flag> = new Map(Object.entries({ b: 'bold', strong: 'bold', i: 'italic', em: 'italic', u: 'underline' } as const));
/** Tags of SubRip and WebVTT; other text in angle brackets is shown as is. */
const tag = /<(\/?)([a-z]+)((?:[.\s][^<>]*)?)\/?>|<(\d[\d:.,]*)>|\{\\[^{}]*\}/giy;
/** The name in a voice tag, after its classes. */
const voice = /^(?:\.\S+)*\s+(.*)$/s;

/** Parses the tags of SubRip and WebVTT: bold, italic, underline, voices and word times. Other tags (classes, fonts) are removed. */
export function parseMarkup(text: string, cue: { start: number; end: number }): Span[] {
  const spans: Span[] = [];
  const depth = { bold: 0, italic: 0, underline: 0 };
  let speaker: string | undefined;
  let from = 0;
  let time: number | undefined;
  const push = (to: number): void => {
    if (to > from && spans.length < captionLimits.spans) {
      spans.push({ text: decodeEntities(text.slice(from, to)), style: styleAt(depth, speaker), ...(time === undefined ? {} : { start: time }) });
    }
  };
  for (let at = 0; at < text.length; ) {
    tag.lastIndex = at;
    const match = text[at] === '<' || text[at] === '{' ? tag.exec(text) : null;
    if (match === null) {
      at += 1;
      continue;
    }
    push(at);
    const [whole, closing, name = '', annotation = '', stamp] = match;
    if (name.toLowerCase() === 'v') speaker = closing === '' ? speakerNamed(voice.exec(annotation)?.[1] ?? '') : undefined;
    const style = styleOfTag.get(name.toLowerCase());
    if (style !== undefined) depth[style] = Math.max(0, depth[style] + (closing === '' ? 1 : -1));
    const stamped = stamp === undefined ? undefined : parseTimestamp(stamp);
    // Word times within a cue must not decrease.
    if (stamped !== undefined && stamped >= (time ?? cue.start) && stamped <= cue.end) time = stamped;
    at += whole.length;
    from = at;
  }
  push(text.length);
  return time === undefined ? spans : closeTimes(spans, cue);
}

/** The name as it is compared; undefined if it is empty. */
export function speakerNamed(text: string): string | undefined {
  const name = decodeEntities(text).trim().replaceAll(/\s+/g, ' ').slice(0, captionLimits.speakerLength);
  return name === '' ? undefined : name;
}

function styleAt(depth: Record<Flag, number>, speaker: string | undefined): WordStyle {
  return {
    ...(depth.bold > 0 && { bold: true }),
    ...(depth.italic > 0 && { italic: true }),
    ...(depth.underline > 0 && { underline: true }),
    ...(speaker !== undefined && { speaker }),
  };
}

/** Ends each span at the next later word time of the cue. */
function closeTimes(spans: readonly Span[], cue: { start: number; end: number }): Span[] {
  let next = cue.end;
  let start = cue.end;
  return spans
    .toReversed()
    .map((span) => {
      const own = span.start ?? cue.start;
      if (own < start) {
        next = start;
        start = own;
      }
      return { ...span, start: own, end: next };
    })
    .reverse();
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
