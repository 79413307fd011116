import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { detectSpeech, readChunks, SAMPLE_RATE } from './audio-chunks.js';
import type { RecognizedChunk } from './chunk-words.js';

/**
 * Runs sherpa-onnx in a separate process, because it exits on unsuitable models. Reads a JSON request from standard
 * input and writes one JSON line per chunk (RecognizedLine) to standard output.
 */
export interface SpeechRequest {
  config: unknown;
  soundPath: string;
  hotwords: string | undefined;
}

export type RecognizedLine = RecognizedChunk & { at: number };

interface Stream {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
}

interface Sherpa {
  OfflineRecognizer: new (
    config: unknown,
  ) => {
    createStream(hotwords?: string): Stream;
    decode(stream: Stream): void;
    getResult(stream: Stream): { text?: string; tokens?: string[]; timestamps?: number[]; durations?: number[] };
  };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const { config, soundPath, hotwords } = JSON.parse(await readInput()) as SpeechRequest;
const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
const recognizer = new sherpa.OfflineRecognizer(config);
const file = openSync(soundPath, 'r');
for (const { start, samples } of readChunks(file)) {
  const stream = hotwords === undefined ? recognizer.createStream() : recognizer.createStream(hotwords);
  stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE });
  recognizer.decode(stream);
  const { text = '', tokens = [], timestamps = [], durations = [] } = recognizer.getResult(stream);
  const line: RecognizedLine = { at: start, text, tokens, timestamps, durations, speech: detectSpeech(samples) };
  await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}
closeSync(file);
