import type { GenerationRequest, Settings } from './request.js';

/** Allowed model settings: those that affect the look of the single result, not the number of results, their target or their inputs. */
const sharedSettings = ['seed', 'negative_prompt', 'guidance', 'guidance_scale', 'cfg_scale', 'steps', 'num_inference_steps', 'quality', 'style'];
const allowedSettings: Readonly<Record<GenerationRequest['kind'], ReadonlySet<string>>> = {
  image: new Set([...sharedSettings, 'background', 'moderation', 'output_compression', 'output_format', 'size']),
  video: new Set([...sharedSettings, 'fps', 'seconds', 'size']),
};

const validators: Readonly<Record<string, (value: unknown) => boolean>> = {
  size: (value) => typeof value === 'string' && /^(\d{2,4}x\d{2,4}|auto)$/.test(value),
  seconds: (value) => Number(value) >= 1 && Number(value) <= 60,
  output_format: (value) => value === 'png' || value === 'jpeg' || value === 'webp',
};

export interface FilteredSettings {
  settings: Settings;
  /** Names of the removed settings. */
  dropped: string[];
}

/** Accepts kebab-case and snake_case names; keys with a leading underscore are notes and are skipped. */
export function filterSettings(kind: GenerationRequest['kind'], given: GenerationRequest['modelSettings'] = {}): FilteredSettings {
  const settings: Record<string, string | number | boolean> = {};
  const dropped: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    if (value === null || key.startsWith('_')) continue;
    const plain = key.toLowerCase().replaceAll('-', '_');
    const name = plain === 'duration' && kind === 'video' ? 'seconds' : plain;
    if (allowedSettings[kind].has(name) && isScalar(value) && (validators[name]?.(value) ?? true)) settings[name] = value;
    else dropped.push(key.slice(0, 60));
  }
  return { settings, dropped };
}

/** Length of a video that a script requests, in seconds; undefined if it leaves that to the provider. */
export function requestedSeconds(modelSettings: GenerationRequest['modelSettings']): number | undefined {
  const { seconds } = filterSettings('video', modelSettings).settings;
  return seconds === undefined ? undefined : Number(seconds);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && value.length <= 1000);
}
