import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawPlaceholder, type FontCatalogue } from '../../graphics/index.js';
import type { GenerationRequest, Generator } from '../../providers/generation/index.js';
import type { SpeechSynthesizer } from '../../providers/speech/index.js';
import { type Recogniser, RecognitionError } from '../../providers/transcription/index.js';
import type { RenderContext } from '../../render/index.js';
import { estimateSpeechSeconds } from '../../script/index.js';

/** No provider is ever paid for a preview, and nobody waits for minutes: what was made before is used, else something stands in its place. */

const sizes: Readonly<Record<GenerationRequest['aspectRatio'], { width: number; height: number }>> = {
  horizontal: { width: 1280, height: 720 },
  vertical: { width: 720, height: 1280 },
  squared: { width: 1024, height: 1024 },
};
/** As long as a film of unknown length is taken to be. */
const filmSeconds = 10;
const longestPrompt = 70;

/** Pictures and films that an earlier render has had made, and placeholders for the others. */
export function withoutMaking(generator: Generator, fonts: FontCatalogue): Generator {
  return {
    check: generator.check,
    maxPerMovie: generator.maxPerMovie,
    findCached: generator.findCached,
    async generate(request, call) {
      const kept = call.skipCache ? undefined : await generator.findCached(request, call);
      if (kept !== undefined) return kept;
      const { kind, prompt, aspectRatio } = request;
      const path = join(call.folder, `placeholder-${randomUUID()}`);
      const text = prompt.length <= longestPrompt ? prompt : `${prompt.slice(0, longestPrompt)}…`;
      const title = kind === 'image' ? 'A picture will be made' : 'A film will be made';
      await writeFile(path, await drawPlaceholder({ ...sizes[aspectRatio], title, text, ...(kind === 'video' && { seconds: filmSeconds }) }, fonts));
      return {
        path,
        warnings: [`the ${kind === 'image' ? 'picture' : 'film'} of its prompt is made when the movie is rendered; the preview shows a placeholder`],
        keep: async () => {},
      };
    },
  };
}

/** Voices as they were spoken before, or by quick engines of this machine, else silence of about the right length. */
export function withoutServices(speaker: SpeechSynthesizer): NonNullable<RenderContext['voices']> {
  return { synthesize: (request, call) => speaker.synthesize(request, { ...call, silenceSeconds: estimateSpeechSeconds }) };
}

export const withoutRecognition: Recogniser = {
  async recognise() {
    throw new RecognitionError('is written down when the movie is rendered; the preview leaves these subtitles out');
  },
};
