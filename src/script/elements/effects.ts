import type { BlendMode, Correction, Visual } from '../movie.js';
import type { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import { type ElementContext, parseUrl } from './context.js';

type Effects = Pick<Visual, 'mask' | 'chromaKey' | 'correction' | 'blendMode' | 'cornerRadius' | 'blur'>;

/** Parses the pixel effects of a visual element. */
export function parseEffects(fields: Fields, context: ElementContext): Effects {
  const { canvas } = context;
  const mask = fields.optionalString('mask') ? parseUrl(fields, 'mask', context) : undefined;
  const key = fields.object('chroma-key');
  const correction = parseCorrection(fields.object('correction'));
  const width = fields.length('width', canvasScale(canvas, canvas.width)) ?? -1;
  return {
    blendMode: fields.string('blend-mode') as BlendMode,
    cornerRadius: fields.length('corner-radius', canvasScale(canvas, width > 0 ? width : canvas.width)) ?? 0,
    blur: fields.length('blur', canvasScale(canvas, canvas.width)) ?? 0,
    ...(mask === undefined ? {} : { mask }),
    ...(key === undefined ? {} : { chromaKey: { color: key.color('color'), tolerance: key.number('tolerance') } }),
    ...(correction === undefined ? {} : { correction }),
  };
}

/** Undefined if no value differs from neutral. */
function parseCorrection(fields: Fields | undefined): Correction | undefined {
  if (fields === undefined) return undefined;
  const correction: Correction = {
    brightness: fields.number('brightness'),
    contrast: fields.number('contrast'),
    gamma: fields.number('gamma'),
    saturation: fields.number('saturation'),
  };
  const { brightness, contrast, gamma, saturation } = correction;
  return brightness === 0 && contrast === 1 && gamma === 1 && saturation === 1 ? undefined : correction;
}
