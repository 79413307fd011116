import { generationKey, parseAspectRatio } from '../generation.js';
import type { Generation } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { type ElementContext, parseUrl } from './context.js';

/** The source of an image or video element; a URL wins over a prompt, because JSON2Video's editor leaves both. */
export function parseSource(kind: Generation['kind'], fields: Fields, context: ElementContext): { src: string; generation?: Generation } {
  const prompt = fields.optionalString('prompt')?.trim() ?? '';
  const hasUrl = (fields.optionalString('src') ?? '') !== '';
  if (prompt === '' && !hasUrl) fail(fields.pathOf('prompt'), 'prompt must not be empty unless src is given.');
  if (hasUrl) return { src: parseUrl(fields, 'src', context) };
  const model = fields.optionalString('model') ?? '';
  const connection = fields.optionalString('connection') ?? '';
  const modelSettings = fields.find('model-settings')?.value as Generation['modelSettings'];
  const generation: Generation = {
    kind,
    prompt,
    aspectRatio: parseAspectRatio(fields.string('aspect-ratio')),
    ...(model === '' ? {} : { model }),
    ...(connection === '' ? {} : { connection }),
    ...(modelSettings === undefined ? {} : { modelSettings }),
  };
  const refusal = context.checkGeneration?.(generation);
  if (refusal !== undefined) fail(fields.pathOf(refusal.field), `${refusal.field} is refused: ${refusal.reason}.`);
  return { src: generationKey(generation), generation };
}
