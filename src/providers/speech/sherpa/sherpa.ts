import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ProgramFailure, runProgram } from '../../../engine/child-processes/index.js';
import { engineEnvironment, timeoutFor, type VoiceEngine } from '../engines/engine.js';
import { parseUtterances } from '../engines/utterances.js';
import { findModel } from './model-files.js';
import type { SherpaRequest } from './sherpa-process.js';

const program = fileURLToPath(new URL('../../../../dist/providers/speech/sherpa/sherpa-process.js', import.meta.url));
const MAX_SOUND_BYTES = 100_000_000;
/** Loading a large model takes a while, and a slow machine speaks slower than a person. */
const EXTRA_MS = 120_000;

/** A neural voice of the operator's own, spoken by sherpa-onnx. It tells no times of words. */
export function createSherpa(modelDir: string, environment: Readonly<Record<string, string>>): VoiceEngine {
  return {
    name: 'sherpa',
    async findVersion() {
      const found = findModel(modelDir);
      if (found === undefined) return undefined;
      try {
        const { version } = createRequire(import.meta.url)('sherpa-onnx-node/package.json') as { version: string };
        return `${version} ${JSON.stringify(found)}`;
      } catch {
        return undefined;
      }
    },
    voiceFor: () => '0',
    async speak(lines, voice, call) {
      const found = findModel(modelDir);
      if (found === undefined) throw new ProgramFailure('the folder of the sherpa voice holds no voice');
      const request: SherpaRequest = { ...found, lines: [...lines], speaker: Number(voice.name), speed: voice.speed, threads: 1 };
      const { code, output, complaint } = await runProgram(process.execPath, {
        args: [program],
        input: JSON.stringify(request),
        ...call,
        environment: { ...environment, ...engineEnvironment },
        timeoutMs: timeoutFor(lines) * 4 + EXTRA_MS,
        maxOutputBytes: MAX_SOUND_BYTES,
      });
      const spoken = code === 0 ? parseUtterances(output) : [];
      if (spoken.length !== lines.length) throw new ProgramFailure(`sherpa-onnx failed: ${complaint.slice(-300)}`);
      return spoken.map(({ sound }) => ({ sound, words: undefined }));
    },
  };
}

/** Speakers of a model are numbered. */
export function sherpaVoice(voice: string | undefined): string {
  return /^\d{1,4}$/.test(voice ?? '') ? String(Number(voice)) : '0';
}
