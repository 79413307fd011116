import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawPlaceholder, type FontCatalogue } from '../../graphics/index.js';
import type { GenerationRequest, Generator } from '../../providers/generation/index.js';
import type { SpeechSynthesizer } from '../../providers/speech/index.js';
import { type Recogniser, RecognitionError } from '../../providers/transcription/index.js';
import type { RenderContext } from '../../render/index.js';
import { estimateSpeechSeconds } from '../../script/index.js';

/** A preview never calls a paid provider and never waits for minutes: it uses cached results of earlier renders, or else placeholders. */

const sizes: Readonly<Record<GenerationRequest['aspectRatio'], { width: number; height: number }>> = {
  horizontal: { width: 1280, height: 720 },
  vertical: { width: 720, height: 1280 },
  squared: { width: 1024, height: 1024 },
};
/** The estimated length of a video whose length is unknown. */
const videoSeconds = 10;
const maxPromptLength = 70;

/** Images and videos that an earlier render generated, and placeholders for all others. */
export function usePlaceholders(generator: Generator, fonts: FontCatalogue): Generator {
  return {
    check: generator.check,
    maxPerMovie: generator.maxPerMovie,
    async prepare(request, call) {
      const found = await generator.prepare(request, call);
      if ('path' in found) return found;
      const { kind, prompt, aspectRatio } = request;
      const path = join(call.folder, `placeholder-${randomUUID()}`);
      const text = prompt.length <= maxPromptLength ? prompt : `${prompt.slice(0, maxPromptLength)}…`;
      const title = kind === 'image' ? 'Image: generated at render time' : 'Video: generated at render time';
      await writeFile(path, await drawPlaceholder({ ...sizes[aspectRatio], title, text, ...(kind === 'video' && { seconds: videoSeconds }) }, fonts));
      return {
        path,
        warnings: [`the ${kind} is generated when the movie is rendered; the preview shows a placeholder`],
        store: async () => {},
      };
    },
  };
}

/** Cached speech, or speech of fast local engines, or else silence of the estimated length. */
export function useLocalSpeech(speaker: SpeechSynthesizer): NonNullable<RenderContext['voices']> {
  return { prepare: (request, call) => speaker.prepare(request, { ...call, silenceSeconds: estimateSpeechSeconds }) };
}

/** Leaves out subtitles that need speech recognition. */
export const noRecognition: Recogniser = {
  async recognise() {
    throw new RecognitionError('is transcribed when the movie is rendered; the preview leaves these subtitles out');
  },
};
