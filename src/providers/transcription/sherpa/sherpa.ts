import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SpeechModelConfig } from '../../../config/index.js';
import { ProgramError, runProgram } from '../../../engine/child-processes/index.js';
import { RecognitionError, type Transcribe } from '../recognition.js';
import type { SpokenWord } from '../spoken-word.js';
import { wordsOfChunk } from './chunk-words.js';
import { findSpeechModel } from './model-files.js';
import { hotwordsOf, recognizerConfig } from './recognizer-config.js';
import type { RecognizedLine, SpeechRequest } from './sherpa-process.js';

const program = fileURLToPath(new URL('../../../../dist/providers/transcription/sherpa/sherpa-process.js', import.meta.url));
const MAX_ANSWER_BYTES = 50_000_000;
/** Loading a large model takes long, and recognition may be slower than real time. */
const MAX_LOADING_SECONDS = 120;
const MAX_REALTIME_FACTOR = 6;
/** Leaves cores to renders. */
const MAX_THREADS = 4;

/** The installed version; undefined when the optional package or its platform part is missing. */
export function sherpaVersion(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    require.resolve(`sherpa-onnx-${process.platform}-${process.arch}/package.json`);
    return (require('sherpa-onnx-node/package.json') as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** Transcriber for a local model, run by sherpa-onnx in a child process for each call. */
export function createSherpaTranscriber({ modelDir, programEnvironment }: SpeechModelConfig): Transcribe {
  return async ({ audioPath: soundPath, audioSeconds: soundSeconds, language, keywords, folder }, signal) => {
    const model = findSpeechModel(modelDir);
    if (model === undefined) throw new RecognitionError('was not recognised: the folder of the speech model on this host contains no supported model');
    if (sherpaVersion() === undefined) throw new RecognitionError('was not recognised: sherpa-onnx is not installed on this host');
    const hotwords = hotwordsOf(model, keywords);
    const config = recognizerConfig(model, language, hotwords !== undefined, Math.min(MAX_THREADS, availableParallelism()));
    const request: SpeechRequest = { config, soundPath, hotwords };
    try {
      const { code, stdout, stderr } = await runProgram(process.execPath, {
        args: [program],
        stdin: JSON.stringify(request),
        folder,
        environment: programEnvironment,
        timeoutMs: Math.ceil(MAX_LOADING_SECONDS + soundSeconds * MAX_REALTIME_FACTOR) * 1000,
        maxOutputBytes: MAX_ANSWER_BYTES,
        signal,
      });
      if (code !== 0) {
        // stderr helps the operator; the model's path must not reach clients.
        const words = stderr.replaceAll(modelDir, '').replace(/\s+/g, ' ').slice(-200);
        throw new RecognitionError(`was not recognised: sherpa-onnx could not run the speech model on this host (${words})`);
      }
      return wordsOf(stdout.toString('utf8'));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProgramError)
        throw new RecognitionError('was not recognised: the speech model on this host took too long or failed', { cause: error });
      throw error;
    }
  };
}

function wordsOf(answer: string): SpokenWord[] {
  return answer
    .split('\n')
    .filter((line) => line.startsWith('{"at":'))
    .flatMap((line) => {
      const { at, ...piece } = JSON.parse(line) as RecognizedLine;
      return wordsOfChunk(piece).map((word) => ({ ...word, start: at + word.start, end: at + word.end }));
    });
}
