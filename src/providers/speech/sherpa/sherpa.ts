import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ProgramError, runProgram } from '../../../engine/child-processes/index.js';
import { engineEnvironment, type OfflineEngine, timeoutMsFor } from '../engines/offline-engine.js';
import { parseUtterances } from '../engines/utterances.js';
import { findModel } from './model-files.js';
import type { SherpaRequest } from './sherpa-process.js';

const program = fileURLToPath(new URL('../../../../dist/providers/speech/sherpa/sherpa-process.js', import.meta.url));
const MAX_SOUND_BYTES = 100_000_000;
/** Extra time for loading a large model and for slow machines. */
const EXTRA_MS = 120_000;

/** Engine for a local neural voice run by sherpa-onnx, which reports no word times. */
export function createSherpa(modelDir: string, environment: Readonly<Record<string, string>>): OfflineEngine {
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
    async synthesize(lines, voice, call) {
      const found = findModel(modelDir);
      if (found === undefined) throw new ProgramError('the folder of the sherpa voice holds no voice');
      const request: SherpaRequest = { ...found, lines: [...lines], speaker: Number(voice.name), speed: voice.speed, threads: 1 };
      const { code, stdout, stderr } = await runProgram(process.execPath, {
        args: [program],
        stdin: JSON.stringify(request),
        ...call,
        environment: { ...environment, ...engineEnvironment },
        timeoutMs: timeoutMsFor(lines) * 4 + EXTRA_MS,
        maxOutputBytes: MAX_SOUND_BYTES,
      });
      const spoken = code === 0 ? parseUtterances(stdout) : [];
      if (spoken.length !== lines.length) throw new ProgramError(`sherpa-onnx failed: ${stderr.slice(-300)}`);
      return spoken.map(({ audio }) => ({ audio, words: undefined }));
    },
  };
}

/** Speaker number of a model with several speakers. */
export function sherpaVoice(voice: string | undefined): string {
  return /^\d{1,4}$/.test(voice ?? '') ? String(Number(voice)) : '0';
}
