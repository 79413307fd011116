import { detectSpeech } from './audio/detect-speech.js';
import { durationOf, trimAudio } from './audio/edit-audio.js';
import { normalizeLoudness } from './audio/normalize-loudness.js';
import type { RawSpeech } from './speech.js';
import { clipWordsToSpeech } from './words/clip-words.js';

const BEFORE_SECONDS = 0.03;
/** Maximum silence before the first and after the last word. */
const MAX_LEAD_SECONDS = 0.12;
const MAX_TAIL_SECONDS = 0.3;

/** Trims a service's silence around speech and normalizes its loudness. `isTimed`: the text's SSML requests its silences, which are preserved. */
export function trimAndLevel(raw: RawSpeech, { isTimed }: { isTimed: boolean }): RawSpeech {
  const stretches = detectSpeech(raw.audio);
  const first = stretches[0];
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return raw;
  const total = durationOf(raw.audio);
  const start = !isTimed && first.start > MAX_LEAD_SECONDS ? first.start - BEFORE_SECONDS : 0;
  const end = !isTimed && total - last.end > MAX_TAIL_SECONDS ? last.end + MAX_TAIL_SECONDS / 2 : total;
  const words = clipWordsToSpeech(raw.words, stretches).map((word) => ({
    ...word,
    start: Math.max(0, word.start - start),
    end: Math.min(end, word.end) - start,
  }));
  return { ...raw, audio: normalizeLoudness(trimAudio(raw.audio, start, end)), words };
}
