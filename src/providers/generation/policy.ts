import type { GenerationConfig } from '../../config/index.js';
import type { GenerationRequest } from './request.js';

/** Why a request can not be met here, and the property that is to blame. */
export interface GenerationRefusal {
  field: 'prompt' | 'connection';
  reason: string;
}

const words = {
  image: { things: 'pictures', thing: 'a picture', variables: 'FRAMEWRIGHT_IMAGE_API_URL or FRAMEWRIGHT_IMAGE_API_KEY' },
  video: { things: 'films', thing: 'a film', variables: 'FRAMEWRIGHT_VIDEO_API_URL and FRAMEWRIGHT_VIDEO_API_MODEL' },
} as const;

/** What can be said before anything is made. */
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
