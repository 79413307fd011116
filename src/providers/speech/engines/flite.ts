import { toPlainEnglish } from './english-text.js';
import type { OfflineEngine } from './offline-engine.js';
import { runSpeechProgram } from './speech-program.js';

export function createFlite(environment: Readonly<Record<string, string>>): OfflineEngine {
  return {
    name: 'flite',
    async findVersion() {
      try {
        const call = { folder: '/', signal: AbortSignal.timeout(20_000) };
        const [line] = await runSpeechProgram('flite', { name: 'slt', speed: 1 }, ['a'], environment, call);
        // The library reports no version; its output does not change within a release.
        return line === undefined ? undefined : `libflite.so.1/${line.audio.samples.length}`;
      } catch {
        return undefined;
      }
    },
    voiceFor: (language, isMale) => (/^en(-|$)/.test(language) ? (isMale ? 'rms' : 'slt') : undefined),
    synthesize: (lines, voice, call) => runSpeechProgram('flite', voice, lines.map(toPlainEnglish), environment, call),
  };
}
