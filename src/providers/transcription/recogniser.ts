import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpeechToTextConfig } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import type { OutboundSettings } from '../../outbound/index.js';
import { type Recogniser, RecognitionError } from './recognition.js';
import { createServiceTranscriber } from './service.js';
import { createSherpaTranscriber } from './sherpa/sherpa.js';

/** The engine's call that extracts audio for recognisers. */
export interface AudioExtractor {
  extractSound(path: string, outputPath: string, sampleRate: number, options: { signal: AbortSignal }): Promise<{ samples: number }>;
}

/** Speech models expect 16 kHz. */
const SAMPLE_RATE = 16_000;

/** Creates the recogniser; requests may reach the hosts that `outbound` allows and the configured service. */
export function createRecogniser(config: SpeechToTextConfig, outbound: OutboundSettings, engine: AudioExtractor): Recogniser {
  const transcribe = config.service === undefined ? createSherpaTranscriber(config.sherpa) : createServiceTranscriber(config.service, outbound);
  return {
    ...(config.service !== undefined && { provider: config.service.model }),
    async recognise(request, signal, onBought) {
      const folder = await mkdtemp(join(request.folder, 'speech-'));
      try {
        const soundPath = join(folder, 'sound.wav');
        const { samples } = await extract(engine, request.path, soundPath, signal);
        return await transcribe({ ...request, folder, audioPath: soundPath, audioSeconds: samples / SAMPLE_RATE, onBought }, signal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function extract(engine: AudioExtractor, path: string, soundPath: string, signal: AbortSignal): Promise<{ samples: number }> {
  try {
    return await engine.extractSound(path, soundPath, SAMPLE_RATE, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
    throw new RecognitionError(`was not recognised: ${error.message}`, { cause: error });
  }
}
