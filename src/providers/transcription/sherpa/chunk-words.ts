import type { SpokenWord } from '../spoken-word.js';
import type { TimeRange } from './audio-chunks.js';

/** A model's result for one chunk; seconds from the start of the chunk. */
export interface RecognizedChunk {
  text: string;
  /** Subword tokens; a leading space starts a word. */
  tokens: readonly string[];
  /** Start of each token; empty if the model reports no times. */
  timestamps: readonly number[];
  /** Duration of each token; most models report none. */
  durations: readonly number[];
  speech: readonly TimeRange[];
}

/** Models report a token's time early in its sound. */
const LAST_TOKEN_SECONDS = 0.3;
const spaceless = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Converts a chunk's tokens to words with times. */
export function wordsOfChunk(piece: RecognizedChunk): SpokenWord[] {
  const isTimed = piece.tokens.length > 0 && piece.timestamps.length === piece.tokens.length;
  return isTimed ? wordsOfTokens(piece) : estimateWords(piece);
}

interface TimedWord {
  text: string;
  start: number;
  lastStart: number;
  lastDuration: number | undefined;
}

function wordsOfTokens({ tokens, timestamps, durations }: RecognizedChunk): SpokenWord[] {
  const words: TimedWord[] = [];
  let isNew = true;
  for (const { text, at, duration } of joinBytes(tokens, timestamps, durations)) {
    const plain = text.replaceAll('▁', ' ');
    const bare = plain.trim();
    isNew ||= /^\s/.test(plain);
    if (bare === '' || /^<[^>]*>$/.test(bare)) continue;
    const last = words.at(-1);
    const isMark = /^\p{P}+$/u.test(bare);
    if (last === undefined || (!isMark && (isNew || spaceless.test(bare) || spaceless.test(last.text)))) {
      words.push({ text: bare, start: at, lastStart: at, lastDuration: duration });
    } else if (isMark) last.text += bare;
    else Object.assign(last, { text: last.text + bare, lastStart: at, lastDuration: duration });
    isNew = /\s$/.test(plain);
  }
  return words.map(({ text, start, lastStart, lastDuration }, i) => {
    const end = lastStart + (lastDuration ?? LAST_TOKEN_SECONDS);
    const next = words[i + 1]?.start ?? Number.POSITIVE_INFINITY;
    return { text, start, end: Math.max(start, Math.min(end, next)) };
  });
}

/** Joins characters that the model spells as bytes, such as `<0xE4>`. */
function joinBytes(tokens: readonly string[], timestamps: readonly number[], durations: readonly number[]) {
  const joined: Array<{ text: string; at: number; duration: number | undefined; bytes: number[] }> = [];
  for (const [i, token] of tokens.entries()) {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1];
    const at = timestamps[i] ?? 0;
    const duration = durations.length === tokens.length ? durations[i] : undefined;
    const last = joined.at(-1);
    if (byte === undefined) joined.push({ text: token, at, duration, bytes: [] });
    else if (last !== undefined && last.bytes.length > 0) last.bytes.push(Number.parseInt(byte, 16));
    else joined.push({ text: '', at, duration, bytes: [Number.parseInt(byte, 16)] });
  }
  return joined.map(({ bytes, ...token }) => (bytes.length === 0 ? token : { ...token, text: Buffer.from(bytes).toString('utf8') }));
}

/** Divides the speech time among words by length; no word extends over a pause. */
function estimateWords({ text, speech: stretches }: RecognizedChunk): SpokenWord[] {
  const words = splitText(text);
  const heard = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  if (letters === 0 || heard === 0) return [];
  let said = 0;
  return words.map((word) => {
    const from = (said / letters) * heard;
    said += word.length;
    return { text: word, ...placeInSpeech(stretches, from, (said / letters) * heard) };
  });
}

/** Maps a time range of the speech to the chunk: into the stretch that contains its middle. */
function placeInSpeech(stretches: readonly TimeRange[], from: number, to: number): TimeRange {
  let before = 0;
  for (const { start, end } of stretches) {
    const length = end - start;
    if ((from + to) / 2 < before + length) return { start: start + Math.max(0, from - before), end: start + Math.min(length, to - before) };
    before += length;
  }
  const last = stretches.at(-1)?.end ?? 0;
  return { start: last, end: last };
}

/** Text in writing systems without spaces is split with a dictionary. */
function splitText(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      if (![...word].some((letter) => spaceless.test(letter))) return [word];
      const parts: string[] = [];
      for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(word)) {
        if (isWordLike || parts.length === 0) parts.push(segment);
        else parts[parts.length - 1] += segment;
      }
      return parts;
    });
}
