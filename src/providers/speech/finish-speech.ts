import { cutSound, secondsOf } from './sound/edit-sound.js';
import { levelVoice } from './sound/level.js';
import { speechStretches } from './sound/stretches.js';
import type { RawSpeech } from './speech.js';
import { tightenWords } from './words/tighten-words.js';

const BEFORE_SECONDS = 0.03;
/** More than this before the first word and after the last is nothing that anybody asked for. */
const MAX_LEAD_SECONDS = 0.12;
const MAX_TAIL_SECONDS = 0.3;

/**
 * Cuts what a service left silent around its words and brings it to the loudness of every voice. `isTimed`: the text's
 * own marks asked for its silences.
 */
export function finishSpeech(raw: RawSpeech, { isTimed }: { isTimed: boolean }): RawSpeech {
  const stretches = speechStretches(raw.sound);
  const first = stretches[0];
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return raw;
  const total = secondsOf(raw.sound);
  const start = !isTimed && first.start > MAX_LEAD_SECONDS ? first.start - BEFORE_SECONDS : 0;
  const end = !isTimed && total - last.end > MAX_TAIL_SECONDS ? last.end + MAX_TAIL_SECONDS / 2 : total;
  const words = tightenWords(raw.words, stretches).map((word) => ({ ...word, start: Math.max(0, word.start - start), end: Math.min(end, word.end) - start }));
  return { ...raw, sound: levelVoice(cutSound(raw.sound, start, end)), words };
}
