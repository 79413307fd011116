import type { BlendMode, ChromaKey, Correction, Grade, ToneCurves, Vignette, Visual } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import { type ElementContext, parseUrl } from './context.js';

type Effects = Pick<
  Visual,
  'mask' | 'chromaKey' | 'correction' | 'grade' | 'blendMode' | 'cornerRadius' | 'blur' | 'sharpen' | 'vignette' | 'grain' | 'motionBlur'
>;

/** Parses the pixel effects of a visual element. */
export function parseEffects(fields: Fields, context: ElementContext): Effects {
  const { canvas } = context;
  const mask = fields.optionalString('mask') ? parseUrl(fields, 'mask', context) : undefined;
  const key = fields.object('chroma-key');
  const correction = parseCorrection(fields.object('correction'));
  const grade = parseGrade(fields, context);
  const vignette = parseVignette(fields);
  const width = fields.length('width', canvasScale(canvas, canvas.width)) ?? -1;
  return {
    blendMode: fields.string('blend-mode') as BlendMode,
    cornerRadius: fields.length('corner-radius', canvasScale(canvas, width > 0 ? width : canvas.width)) ?? 0,
    blur: fields.length('blur', canvasScale(canvas, canvas.width)) ?? 0,
    sharpen: fields.number('sharpen'),
    grain: fields.number('grain'),
    motionBlur: parseMotionBlur(fields) ?? context.motionBlur ?? 0,
    ...(mask === undefined ? {} : { mask }),
    ...(key === undefined ? {} : { chromaKey: parseChromaKey(key, fields.string('type')) }),
    ...(correction === undefined ? {} : { correction }),
    ...(grade === undefined ? {} : { grade }),
    ...(vignette === undefined ? {} : { vignette }),
  };
}

/** Elements whose first frame tells the colour of the screen. */
const SHOT_TYPES = ['image', 'video'];

function parseChromaKey(fields: Fields, type: string): ChromaKey {
  const hasColor = fields.find('color') !== undefined;
  if (!hasColor && !SHOT_TYPES.includes(type)) fail(fields.pathOf('color'), `a chroma key of an element of type ${type} needs the property 'color'.`);
  return {
    ...(hasColor && { color: fields.color('color') }),
    tolerance: fields.number('tolerance'),
    softness: fields.number('softness'),
    despill: fields.number('despill'),
    choke: fields.number('choke'),
    view: fields.string('view') as ChromaKey['view'],
  };
}

const usualVignette = { size: 0.4, softness: 0.8 };

/** Undefined if it darkens nothing. */
function parseVignette(fields: Fields): Vignette | undefined {
  const value = fields.find('vignette')?.value;
  if (value === undefined) return undefined;
  const parts = typeof value === 'object' ? fields.object('vignette') : undefined;
  const amount = parts?.number('amount') ?? fields.number('vignette');
  if (amount === 0) return undefined;
  return parts === undefined ? { amount, ...usualVignette } : { amount, size: parts.number('size'), softness: parts.number('softness') };
}

/** Half a frame: a shutter of 180 degrees. */
const DEFAULT_SHUTTER = 0.5;

/** Fraction of the frame for which the shutter is open; undefined if not given. */
export function parseMotionBlur(fields: Fields): number | undefined {
  const value = fields.find('motion-blur')?.value;
  if (typeof value === 'boolean') return value ? DEFAULT_SHUTTER : 0;
  return fields.optionalNumber('motion-blur');
}

/** The parts of a grade that a keyframe gives; undefined: neutral. `before`: the grade of the keyframe before. */
export function parseGradePart(fields: Fields, before: Grade, context: ElementContext): Grade | undefined {
  const [balance, curves, lut] = [fields.object('white-balance'), fields.object('curves'), fields.find('lut')];
  if (balance === undefined && curves === undefined && lut === undefined) return undefined;
  const { whiteBalance = { temperature: 0, tint: 0 } } = before;
  const merged = {
    whiteBalance: {
      temperature: balance?.optionalNumber('temperature') ?? whiteBalance.temperature,
      tint: balance?.optionalNumber('tint') ?? whiteBalance.tint,
    },
    curves: curves === undefined ? before.curves : { ...before.curves, ...parseCurves(curves) },
    lut: lut === undefined ? before.lut : parseKeyedLut(fields, before.lut, context),
  };
  return { whiteBalance: merged.whiteBalance, ...(merged.curves && { curves: merged.curves }), ...(merged.lut && { lut: merged.lut }) };
}

function parseKeyedLut(fields: Fields, before: Grade['lut'], context: ElementContext): Grade['lut'] {
  if (typeof fields.find('lut')?.value === 'string') return { src: parseUrl(fields, 'lut', context), amount: 1 };
  const lut = fields.object('lut') as Fields;
  const src = lut.find('src') === undefined ? before?.src : parseUrl(lut, 'src', context);
  if (src === undefined) fail(lut.pathOf('src'), 'lut in keyframes needs src, or lut of the element.');
  return { src, amount: lut.optionalNumber('amount') ?? 1 };
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

/** Undefined if nothing differs from neutral. */
export function parseGrade(fields: Fields, context: ElementContext): Grade | undefined {
  const whiteBalance = parseWhiteBalance(fields.object('white-balance'));
  const curves = parseCurves(fields.object('curves'));
  const lut = parseLut(fields, context);
  if (whiteBalance === undefined && curves === undefined && lut === undefined) return undefined;
  return { ...(whiteBalance && { whiteBalance }), ...(curves && { curves }), ...(lut && { lut }) };
}

function parseWhiteBalance(fields: Fields | undefined): Grade['whiteBalance'] {
  if (fields === undefined) return undefined;
  const [temperature, tint] = [fields.number('temperature'), fields.number('tint')];
  return temperature === 0 && tint === 0 ? undefined : { temperature, tint };
}

function parseCurves(fields: Fields | undefined): ToneCurves | undefined {
  if (fields === undefined) return undefined;
  const named = (['master', 'red', 'green', 'blue'] as const).flatMap((name) => {
    const points = fields.find(name)?.value as Array<[number, number]> | undefined;
    if (points === undefined) return [];
    const wrong = points.findIndex(([input], index) => index > 0 && input <= (points[index - 1] as [number, number])[0]);
    if (wrong >= 0) fail(`${fields.pathOf(name)}.${wrong}`, 'the input of a curve point must be greater than that of the point before it.');
    return points.every(([input, output]) => input === output) && points[0]?.[0] === 0 && points.at(-1)?.[0] === 1 ? [] : [[name, points] as const];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function parseLut(fields: Fields, context: ElementContext): Grade['lut'] {
  const found = fields.find('lut');
  if (found === undefined) return undefined;
  if (typeof found.value === 'string') return { src: parseUrl(fields, 'lut', context), amount: 1 };
  const lut = fields.object('lut') as Fields;
  const [src, amount] = [parseUrl(lut, 'src', context), lut.number('amount')];
  return amount === 0 ? undefined : { src, amount };
}
