import type { GenerationConfig } from '../../config/index.js';
import type { GenerationRequest } from './request.js';

/** Why this host cannot serve a request, and the property that causes it. */
export interface GenerationRefusal {
  field: 'prompt' | 'connection';
  reason: string;
}

const words = {
  image: { things: 'images', thing: 'an image', variables: 'FRAMEWRIGHT_IMAGE_API_URL or FRAMEWRIGHT_IMAGE_API_KEY' },
  video: { things: 'videos', thing: 'a video', variables: 'FRAMEWRIGHT_VIDEO_API_URL and FRAMEWRIGHT_VIDEO_API_MODEL' },
} as const;

/** Creates the check of requests against the configured providers. */
export function createGenerationPolicy(config: Pick<GenerationConfig, 'image' | 'video'>): (request: GenerationRequest) => GenerationRefusal | undefined {
  return ({ kind, connection }) => {
    const { things, thing, variables } = words[kind];
    const service = config[kind];
    if (service === undefined) {
      const reason = `no provider of ${things} is set up on this host; its operator sets ${variables}, or give the URL of ${thing} as src`;
      return { field: 'prompt', reason };
    }
    if (connection === undefined || connection === service.name) return undefined;
    return { field: 'connection', reason: `this host has no provider of ${things} with that name, but one named "${service.name}"` };
  };
}
