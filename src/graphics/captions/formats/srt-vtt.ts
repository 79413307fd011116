import type { Cue } from './cue.js';
import { captionLimits } from './cue.js';
import { parseMarkup } from './markup.js';
import { parseTimestamp } from './timestamp.js';

const arrow = /^\s*([\d:.,]{4,16})\s*-{1,2}>\s*([\d:.,]{4,16})(?:\s.*)?$/;
/** WebVTT blocks without captions. */
const otherBlock = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

/** Parses SubRip and WebVTT: blocks of a timing line and text. Cue settings are ignored because the movie positions captions. */
export function parseSrtOrVtt(text: string): Cue[] {
  const lines = text.split('\n');
  const cues: Cue[] = [];
  for (let i = 0; i < lines.length && cues.length < captionLimits.cues; i++) {
    if (otherBlock.test(lines[i] ?? '') && (lines[i - 1] ?? '').trim() === '') {
      while (i < lines.length && (lines[i] ?? '').trim() !== '') i += 1;
      continue;
    }
    const times = arrow.exec((lines[i] ?? '').slice(0, 200));
    if (times === null) continue;
    const start = parseTimestamp(times[1] ?? '');
    const end = parseTimestamp(times[2] ?? '');
    const own = ownLines(lines, i + 1);
    i += own.length;
    if (start === undefined || end === undefined || end <= start) continue;
    const spans = parseMarkup(own.join('\n').trim().slice(0, captionLimits.cueLength), { start, end });
    if (spans.some((span) => span.text.trim() !== '')) cues.push({ start, end, spans });
  }
  return cues;
}

/** Text lines of a block, up to an empty line or to the next block if the empty line is missing. */
function ownLines(lines: readonly string[], from: number): string[] {
  let to = from;
  while (to < lines.length && (lines[to] ?? '').trim() !== '' && !arrow.test((lines[to] ?? '').slice(0, 200))) to += 1;
  const counted = /^\s*\d+\s*$/.test(lines[to - 1] ?? '') && arrow.test((lines[to] ?? '').slice(0, 200)) && to > from;
  return lines.slice(from, counted ? to - 1 : to);
}
