import type { Generation } from './movie.js';

/** Generation properties as a script has them, before defaults are applied. */
interface RawGeneration {
  kind: Generation['kind'];
  prompt: string;
  model?: unknown;
  aspectRatio?: unknown;
  connection?: unknown;
  modelSettings?: unknown;
}

/** The key used as `src` of a generated image or video; equal requests have equal keys. */
export function generationKey({ kind, prompt, model, aspectRatio, connection, modelSettings }: RawGeneration): string {
  const settings = typeof modelSettings === 'object' && modelSettings !== null ? Object.entries(modelSettings).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
  return `generate:${JSON.stringify([kind, prompt, text(model), parseAspectRatio(aspectRatio), text(connection), settings])}`;
}

/** Normalizes an aspect ratio; JSON2Video accepts both `square` and `squared`. */
export function parseAspectRatio(value: unknown): Generation['aspectRatio'] {
  if (value === 'squared' || value === 'square') return 'squared';
  return value === 'vertical' ? 'vertical' : 'horizontal';
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
