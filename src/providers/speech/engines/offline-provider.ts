import { setImmediate } from 'node:timers/promises';
import { isMaleVoice } from '../language/gender.js';
import { languageOf } from '../language/locale.js';
import { cutSound, joinSounds, secondsOf, silence } from '../sound/edit-sound.js';
import { levelVoice } from '../sound/level.js';
import { speechStretches } from '../sound/stretches.js';
import type { ProviderRequest, RawSpeech, SpokenWord, VoiceProvider } from '../speech.js';
import { type Sentence, splitSentences } from '../text/sentences.js';
import { alignWords } from '../words/align-words.js';
import { estimateWords } from '../words/estimate-words.js';
import { splitWords } from '../words/split-words.js';
import { tightenWords } from '../words/tighten-words.js';
import type { SpokenLine, VoiceEngine } from './engine.js';

/** Around what is said stays this much of the engine's own breath, so that soft beginnings and ends are not cut. */
const BEFORE_SECONDS = 0.03;
const AFTER_SECONDS = 0.06;
const SILENT_RATE = 22_050;
const NOTHING_SECONDS = 0.1;
const speakable = /[\p{L}\p{N}]/u;

/** A chosen engine and voice of this machine. */
export function createOfflineProvider(engine: VoiceEngine, version: string, voice: string): VoiceProvider {
  return {
    name: `${engine.name} ${voice}`,
    version,
    async speak(request, call) {
      const sentences = splitSentences(request.text);
      const spoken = sentences.filter(({ text }) => speakable.test(text));
      const lines =
        spoken.length === 0
          ? []
          : await engine.speak(
              spoken.map(({ text }) => lineOf(text)),
              { name: voice, speed: request.speed },
              call,
            );
      const bySentence = new Map(spoken.map((sentence, index) => [sentence, lines[index]]));
      return assemble(sentences, bySentence, request, call.signal);
    },
  };
}

/** One line, without anything that could mean something else than text. */
function lineOf(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

async function assemble(
  sentences: readonly Sentence[],
  lines: ReadonlyMap<Sentence, SpokenLine | undefined>,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<RawSpeech> {
  const sampleRate = [...lines.values()].find((line) => line !== undefined)?.sound.sampleRate ?? SILENT_RATE;
  const sounds = [];
  const words: SpokenWord[] = [];
  let at = 0;
  let isEstimated = false;
  for (const [index, sentence] of sentences.entries()) {
    // A long text is minutes of sound; the process has other things to answer meanwhile.
    await setImmediate(undefined, { signal });
    const line = lines.get(sentence);
    if (line !== undefined) {
      const said = sayLine(sentence.text, line, request.language);
      sounds.push(said.sound);
      words.push(...said.words.map((word) => ({ ...word, start: word.start + at, end: word.end + at })));
      at += secondsOf(said.sound);
      isEstimated ||= line.words === undefined;
    }
    if (index < sentences.length - 1 || sentence.isAsked) {
      sounds.push(silence(sentence.pauseSeconds, sampleRate));
      at += sentence.pauseSeconds;
    }
  }
  // A file without a single sample is no sound file.
  if (at === 0) sounds.push(silence(NOTHING_SECONDS, sampleRate));
  return {
    sound: joinSounds(sounds, sampleRate),
    words,
    isEstimated,
    warnings: words.length === 0 && lines.size > 0 ? ['nothing could be heard of its text'] : [],
  };
}

/** A line without the silence around it. Each is as loud as the others: engines swell over a paragraph. */
function sayLine(text: string, line: SpokenLine, language: string): Pick<RawSpeech, 'sound' | 'words'> {
  const stretches = speechStretches(line.sound);
  const first = stretches[0];
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return { sound: cutSound(line.sound, 0, 0), words: [] };
  const start = Math.max(0, first.start - BEFORE_SECONDS);
  const end = Math.min(secondsOf(line.sound), last.end + AFTER_SECONDS);
  const written = splitWords(text, languageOf(language));
  const words = line.words === undefined ? estimateWords(written, stretches) : alignWords(written, line.words, last.end);
  return {
    sound: levelVoice(cutSound(line.sound, start, end)),
    words: tightenWords(words, stretches).map((word) => ({ ...word, start: Math.max(0, word.start - start), end: Math.max(0, word.end - start) })),
  };
}

/** The engines in the order in which they sound best, for what a request asks. */
export function rankEngines(
  engines: readonly VoiceEngine[],
  request: Pick<ProviderRequest, 'voice' | 'model' | 'language'>,
): Array<{ engine: VoiceEngine; voice: string }> {
  const isMale = isMaleVoice(request.voice);
  // festival has one voice, a woman's; a man's is flite's.
  const order = isMale ? ['flite', 'espeak-ng', 'festival'] : ['festival', 'flite', 'espeak-ng'];
  const named = engines.filter(({ name }) => name === request.model);
  const ranked = [...named, ...order.flatMap((name) => engines.filter((engine) => engine.name === name && !named.includes(engine)))];
  return ranked.flatMap((engine) => {
    const voice = engine.voiceFor(request.language, isMale);
    return voice === undefined ? [] : [{ engine, voice }];
  });
}
