import { createRequire } from 'node:module';
import type { SherpaModel } from './model-files.js';

/**
 * Runs sherpa-onnx in a separate process, because it exits on unsuitable models. Reads a JSON request from standard
 * input and writes the format of native/speech/utterance.h to standard output.
 */
export interface SherpaRequest {
  model: SherpaModel;
  ruleFsts: string;
  lines: string[];
  speaker: number;
  speed: number;
  threads: number;
}

interface Sherpa {
  OfflineTts: new (
    config: unknown,
  ) => {
    numSpeakers: number;
    generate(request: { text: string; sid: number; speed: number; enableExternalBuffer: boolean }): { samples: Float32Array; sampleRate: number };
  };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function write(bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => process.stdout.write(bytes, () => resolve()));
}

const { model, ruleFsts, lines, speaker, speed, threads } = JSON.parse(await readInput()) as SherpaRequest;
const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
const voice = new sherpa.OfflineTts({
  model: { ...model, numThreads: threads, provider: 'cpu', debug: false },
  maxNumSentences: 1,
  ...(ruleFsts === '' ? {} : { ruleFsts }),
});
for (const text of lines) {
  const { samples, sampleRate } = voice.generate({ text, sid: speaker < voice.numSpeakers ? speaker : 0, speed, enableExternalBuffer: false });
  const pcm = Buffer.alloc(samples.length * 2);
  for (const [i, sample] of samples.entries()) pcm.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))), i * 2);
  await write(`utterance ${sampleRate} ${samples.length} 0\n`);
  await write(pcm);
}
