import { setImmediate } from 'node:timers/promises';
import { detectSpeech } from '../audio/detect-speech.js';
import { concatAudio, durationOf, silence, trimAudio } from '../audio/edit-audio.js';
import { normalizeLoudness } from '../audio/normalize-loudness.js';
import { isMaleVoice } from '../language/gender.js';
import { languageOf } from '../language/locale.js';
import type { ProviderRequest, RawSpeech, SpokenWord, VoiceProvider } from '../speech.js';
import { type Sentence, splitSentences } from '../text/sentences.js';
import { alignWords } from '../words/align-words.js';
import { clipWordsToSpeech } from '../words/clip-words.js';
import { estimateWords } from '../words/estimate-words.js';
import { splitWords } from '../words/split-words.js';
import type { OfflineEngine, SynthesizedLine } from './offline-engine.js';

/** Duration of the engine's own silence that is left around speech, so that soft onsets are not cut. */
const LEAD_SECONDS = 0.03;
const TAIL_SECONDS = 0.06;
const SILENCE_SAMPLE_RATE = 22_050;
const EMPTY_SECONDS = 0.1;
const speakable = /[\p{L}\p{N}]/u;

/** Creates a provider for one local engine and voice. */
export function createOfflineProvider(engine: OfflineEngine, version: string, voice: string): VoiceProvider {
  return {
    name: `${engine.name} ${voice}`,
    version,
    async synthesize(request, call) {
      const sentences = splitSentences(request.text);
      const spoken = sentences.filter(({ text }) => speakable.test(text));
      const lines =
        spoken.length === 0
          ? []
          : await engine.synthesize(
              spoken.map(({ text }) => lineOf(text)),
              { name: voice, speed: request.speed },
              call,
            );
      const bySentence = new Map(spoken.map((sentence, index) => [sentence, lines[index]]));
      return assemble(sentences, bySentence, request, call.signal);
    },
  };
}

/** Reduces text to a single line without markup or control characters. */
function lineOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

async function assemble(
  sentences: readonly Sentence[],
  lines: ReadonlyMap<Sentence, SynthesizedLine | undefined>,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<RawSpeech> {
  const sampleRate = [...lines.values()].find((line) => line !== undefined)?.audio.sampleRate ?? SILENCE_SAMPLE_RATE;
  const sounds = [];
  const words: SpokenWord[] = [];
  let at = 0;
  let isEstimated = false;
  for (const [index, sentence] of sentences.entries()) {
    // Yields to the event loop: a long text is minutes of audio.
    await setImmediate(undefined, { signal });
    const line = lines.get(sentence);
    if (line !== undefined) {
      const said = finishLine(sentence.text, line, request.language);
      sounds.push(said.audio);
      words.push(...said.words.map((word) => ({ ...word, start: word.start + at, end: word.end + at })));
      at += durationOf(said.audio);
      isEstimated ||= line.words === undefined;
    }
    if (index < sentences.length - 1 || sentence.isExplicitPause) {
      sounds.push(silence(sentence.pauseSeconds, sampleRate));
      at += sentence.pauseSeconds;
    }
  }
  // Audio files need at least one sample.
  if (at === 0) sounds.push(silence(EMPTY_SECONDS, sampleRate));
  return {
    audio: concatAudio(sounds, sampleRate),
    words,
    isEstimated,
    warnings: words.length === 0 && lines.size > 0 ? ['nothing could be heard of its text'] : [],
  };
}

/** Trims a line's silence and levels it: engines swell over a paragraph. */
function finishLine(text: string, line: SynthesizedLine, language: string): Pick<RawSpeech, 'audio' | 'words'> {
  const stretches = detectSpeech(line.audio);
  const first = stretches[0];
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return { audio: trimAudio(line.audio, 0, 0), words: [] };
  const start = Math.max(0, first.start - LEAD_SECONDS);
  const end = Math.min(durationOf(line.audio), last.end + TAIL_SECONDS);
  const written = splitWords(text, languageOf(language));
  const words = line.words === undefined ? estimateWords(written, stretches) : alignWords(written, line.words, last.end);
  return {
    audio: normalizeLoudness(trimAudio(line.audio, start, end)),
    words: clipWordsToSpeech(words, stretches).map((word) => ({ ...word, start: Math.max(0, word.start - start), end: Math.max(0, word.end - start) })),
  };
}

/** Ranks the engines by quality for a request. */
export function rankEngines(
  engines: readonly OfflineEngine[],
  request: Pick<ProviderRequest, 'voice' | 'model' | 'language'>,
): Array<{ engine: OfflineEngine; voice: string }> {
  const isMale = isMaleVoice(request.voice);
  // festival has a single, female voice; flite has a male one.
  const order = isMale ? ['flite', 'espeak-ng', 'festival'] : ['festival', 'flite', 'espeak-ng'];
  const named = engines.filter(({ name }) => name === request.model);
  const ranked = [...named, ...order.flatMap((name) => engines.filter((engine) => engine.name === name && !named.includes(engine)))];
  return ranked.flatMap((engine) => {
    const voice = engine.voiceFor(request.language, isMale);
    return voice === undefined ? [] : [{ engine, voice }];
  });
}
