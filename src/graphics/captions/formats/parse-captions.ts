import { parseAss } from './ass.js';
import type { Cue } from './cue.js';
import { captionLimits } from './cue.js';
import { normalizeText } from './decode-text.js';
import { parseSrtOrVtt } from './srt-vtt.js';

/** Parses SRT, WebVTT or ASS; cues are in ascending time. Empty if the text has no cues. */
export function parseCaptions(source: string): Cue[] {
  const text = normalizeText(source.slice(0, captionLimits.bytes));
  const isAss = /^[ \t]*\[(?:script info|v4\+? styles|events)\]/im.test(text.slice(0, 65_536)) || /^dialogue[ \t]*:/im.test(text.slice(0, 4096));
  const cues = isAss ? parseAss(text) : parseSrtOrVtt(text);
  return cues
    .filter(({ start }) => start < captionLimits.seconds)
    .map((cue) => ({ ...cue, end: Math.min(cue.end, captionLimits.seconds) }))
    .sort((a, b) => a.start - b.start);
}
