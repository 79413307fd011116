import type { Generation } from './movie.js';

/** As a script may have them; the defaults are the schema's. */
export interface RawGeneration {
  kind: Generation['kind'];
  prompt: string;
  model?: unknown;
  aspectRatio?: unknown;
  connection?: unknown;
  modelSettings?: unknown;
}

/** What stands in the place of a URL for a picture or film that is made from a prompt; equal requests have equal names. */
export function generationKey({ kind, prompt, model, aspectRatio, connection, modelSettings }: RawGeneration): string {
  const settings = typeof modelSettings === 'object' && modelSettings !== null ? Object.entries(modelSettings).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
  return `generate:${JSON.stringify([kind, prompt, text(model), parseAspectRatio(aspectRatio), text(connection), settings])}`;
}

/** Both of the other service's names for a square are one. */
export function parseAspectRatio(value: unknown): Generation['aspectRatio'] {
  if (value === 'squared' || value === 'square') return 'squared';
  return value === 'vertical' ? 'vertical' : 'horizontal';
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
