import type { Cue, Span, WordStyle } from './cue.js';
import { captionLimits } from './cue.js';
import { speakerNamed } from './markup.js';
import { parseTimestamp } from './timestamp.js';

const defaultEventFields = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text'];
const defaultStyleFields =
  'name,fontname,fontsize,primarycolour,secondarycolour,outlinecolour,backcolour,bold,italic,underline,strikeout,scalex,scaley,spacing,angle,borderstyle,outline,shadow,alignment,marginl,marginr,marginv,encoding'.split(
    ',',
  );

/** Parses Advanced SubStation Alpha: the [Events] lines with word times from \k. Only bold, italic and underline are read from styles; the movie sets the rest. */
export function parseAss(text: string): Cue[] {
  const styles = new Map<string, WordStyle>();
  const cues: Cue[] = [];
  let eventFields = defaultEventFields;
  let styleFields = defaultStyleFields;
  let section = '';
  for (const line of text.split('\n')) {
    if (cues.length >= captionLimits.cues) break;
    const heading = /^\s*\[([^\]]{1,40})\]/.exec(line.slice(0, 80));
    if (heading) section = (heading[1] ?? '').toLowerCase();
    const entry = /^\s*(format|style|dialogue)\s*:/i.exec(line.slice(0, 80));
    if (entry === null) continue;
    const kind = (entry[1] ?? '').toLowerCase();
    const value = line.slice(entry[0].length);
    if (kind === 'format') {
      const fields = value
        .slice(0, 1000)
        .split(',')
        .map((field) => field.trim().toLowerCase());
      if (section === 'events') eventFields = fields;
      else styleFields = fields;
    } else if (kind === 'style') addStyle(styles, readFields(value, styleFields));
    else {
      const cue = parseDialogue(readFields(value, eventFields), styles);
      if (cue) cues.push(cue);
    }
  }
  return cues;
}

/** The last field contains the rest of the line, including commas. */
function readFields(value: string, names: readonly string[]): Map<string, string> {
  const parts = value.slice(0, captionLimits.cueLength * 4).split(',');
  const fields = new Map(names.slice(0, -1).map((name, i) => [name, (parts[i] ?? '').trim()] as const));
  return fields.set(names.at(-1) ?? 'text', parts.slice(names.length - 1).join(','));
}

function addStyle(styles: Map<string, WordStyle>, fields: Map<string, string>): void {
  if (styles.size >= 500) return;
  const on = (name: string): boolean => Number(fields.get(name)) !== 0 && Number.isFinite(Number(fields.get(name) || 0)) && (fields.get(name) ?? '') !== '';
  styles.set(normalStyleName(fields.get('name')), {
    ...(on('bold') && { bold: true }),
    ...(on('italic') && { italic: true }),
    ...(on('underline') && { underline: true }),
  });
}

const normalStyleName = (name: string | undefined): string => (name ?? '').replace(/^\*/, '').trim().toLowerCase();

function parseDialogue(fields: Map<string, string>, styles: ReadonlyMap<string, WordStyle>): Cue | undefined {
  const start = parseTimestamp(fields.get('start') ?? '');
  const end = parseTimestamp(fields.get('end') ?? '');
  if (start === undefined || end === undefined || end <= start) return undefined;
  const speaker = speakerNamed(fields.get('name') ?? '');
  const style = { ...styles.get(normalStyleName(fields.get('style'))), ...(speaker !== undefined && { speaker }) };
  const spans = parseOverrides((fields.get('text') ?? '').slice(0, captionLimits.cueLength * 2), style, { start, end });
  return spans.some(({ text }) => text.trim() !== '') ? { start, end, spans } : undefined;
}

interface State {
  style: WordStyle;
  /** Start of the next syllable in seconds. */
  time: number;
  syllable: { start: number; end: number } | undefined;
  drawing: boolean;
}

/** Splits a text at override blocks `{…}` and applies their karaoke and style tags. */
function parseOverrides(text: string, base: WordStyle, cue: { start: number; end: number }): Span[] {
  const state: State = { style: base, time: cue.start, syllable: undefined, drawing: false };
  const spans: Span[] = [];
  for (let at = 0; at < text.length && spans.length < captionLimits.spans; ) {
    const open = text.indexOf('{', at);
    const close = open < 0 ? -1 : text.indexOf('}', open);
    const to = close < 0 ? text.length : open;
    const shown = text
      .slice(at, to)
      .replace(/\\[Nn]/g, '\n')
      .replaceAll('\\h', '\u00a0');
    // With \p, the text is vector drawing commands.
    if (shown !== '' && !state.drawing) spans.push({ text: shown, style: state.style, ...(state.syllable && clamped(state.syllable, cue)) });
    if (close >= 0) readTags(text.slice(open + 1, close), state, base, cue);
    at = close < 0 ? text.length : close + 1;
  }
  return spans;
}

function clamped({ start, end }: { start: number; end: number }, cue: { start: number; end: number }): { start: number; end: number } {
  return { start: Math.min(start, cue.end), end: Math.min(end, cue.end) };
}

function readTags(block: string, state: State, base: WordStyle, cue: { start: number; end: number }): void {
  for (const [, name = '', value = ''] of block.matchAll(/\\(kt|kf|ko|k|K|b|i|u|r|p)(?=[\d.\\\s-]|$)(-?\d{0,9}(?:\.\d{0,9})?)/g)) {
    if (name === 'kt') state.time = cue.start + Math.max(0, Number(value)) / 100;
    else if (name.toLowerCase().startsWith('k')) {
      const length = Math.max(0, Number(value) || 0) / 100;
      state.syllable = { start: state.time, end: state.time + length };
      state.time += length;
    } else if (name === 'p') state.drawing = Number(value) > 0;
    else if (name === 'r') state.style = base;
    else state.style = withFlag(state.style, name, value);
  }
}

function withFlag(style: WordStyle, tag: string, value: string): WordStyle {
  const key = tag === 'b' ? 'bold' : tag === 'i' ? 'italic' : 'underline';
  const { [key]: _, ...rest } = style;
  // \b also accepts a weight; a tag without value resets to the style of the line, which is usually plain.
  const on = key === 'bold' ? Number(value) === 1 || Number(value) >= 600 : Number(value) === 1;
  return on ? { ...rest, [key]: true } : rest;
}
