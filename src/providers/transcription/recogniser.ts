import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpeechToTextConfig } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import type { OutboundSettings } from '../../outbound/index.js';
import { type Recogniser, RecognitionFailure } from './recognition.js';
import { askService } from './service.js';
import { listenLocally } from './sherpa/sherpa.js';

/** The part of the engine that gives recognisers something to listen to. */
export interface SoundExtractor {
  extractSound(path: string, outputPath: string, sampleRate: number, options: { signal: AbortSignal }): Promise<{ samples: number }>;
}

/** What models of speech are made for. */
const SAMPLE_RATE = 16_000;

/** `outbound` are the rules for addresses; the operator's own service is allowed besides. */
export function createRecogniser(config: SpeechToTextConfig, outbound: OutboundSettings, engine: SoundExtractor): Recogniser {
  const listen = config.service === undefined ? listenLocally(config.sherpa) : askService(config.service, outbound);
  return {
    async recognise(request, signal) {
      const folder = await mkdtemp(join(request.folder, 'speech-'));
      try {
        const soundPath = join(folder, 'sound.wav');
        const { samples } = await extract(engine, request.path, soundPath, signal);
        return await listen({ ...request, folder, soundPath, soundSeconds: samples / SAMPLE_RATE }, signal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function extract(engine: SoundExtractor, path: string, soundPath: string, signal: AbortSignal): Promise<{ samples: number }> {
  try {
    return await engine.extractSound(path, soundPath, SAMPLE_RATE, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
    throw new RecognitionFailure(`was not recognised: ${error.message}`, { cause: error });
  }
}
