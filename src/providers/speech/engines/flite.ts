import type { VoiceEngine } from './engine.js';
import { asEnglishText } from './english-text.js';
import { speakLines } from './speech-program.js';

export function createFlite(environment: Readonly<Record<string, string>>): VoiceEngine {
  return {
    name: 'flite',
    async findVersion() {
      try {
        const call = { folder: '/', signal: AbortSignal.timeout(20_000) };
        const [line] = await speakLines('flite', { name: 'slt', speed: 1 }, ['a'], environment, call);
        // The library names no version; what it says does not change within one.
        return line === undefined ? undefined : `libflite.so.1/${line.sound.samples.length}`;
      } catch {
        return undefined;
      }
    },
    voiceFor: (language, isMale) => (/^en(-|$)/.test(language) ? (isMale ? 'rms' : 'slt') : undefined),
    speak: (lines, voice, call) => speakLines('flite', voice, lines.map(asEnglishText), environment, call),
  };
}
