import { degreesOf } from '../../css/index.js';
import type { Typography } from '../../movie.js';
import { fail, propertyName, show } from '../../validation/fail.js';
import { type LengthScale, parseLength, splitOutsideParentheses } from '../../values/lengths.js';
import type { TextDeclarations } from './declarations.js';

/** Maximum blur, as for the `blur` property of elements. */
const MAX_BLUR_PIXELS = 500;

type Matrix = NonNullable<Typography['transform']>;

/** Parsed `filter` and `transform` of a text. */
export interface TextEffects {
  /** Standard deviation in pixels. */
  blur?: number;
  /** Shadows in the syntax of `text-shadow`. */
  dropShadows: string[];
  transform?: Matrix;
  warnings: string[];
}

/** Parses `filter` and `transform` of a text, with a warning for each unsupported function. */
export function parseTextEffects({ declared, path }: TextDeclarations, scale: LengthScale): TextEffects {
  const effects: TextEffects = { dropShadows: [], warnings: [] };
  for (const [name, value] of functionsOf(declared.filter, path('filter'))) {
    const blur = name === 'blur' ? parseLength(value, scale) : undefined;
    if (blur !== undefined && blur > MAX_BLUR_PIXELS)
      fail(path('filter'), `${propertyName(path('filter'))} may blur by up to ${MAX_BLUR_PIXELS} pixels; not ${show(declared.filter)}.`);
    if (blur !== undefined && blur >= 0) effects.blur = blur;
    else if (name === 'drop-shadow') effects.dropShadows.push(value);
    else effects.warnings.push(`settings.filter: ${name}() is not drawn; "correction" of the element changes colours`);
  }
  const rotation = declared.rotate === undefined ? [] : [['rotate', String(declared.rotate)] as const];
  for (const [name, value] of [...rotation, ...functionsOf(declared.transform, path('transform'))]) {
    const step = matrixOf(name, splitOutsideParentheses(value, ','), scale);
    if (step === undefined) effects.warnings.push(`settings.transform: ${name}(${value}) is not drawn`);
    else effects.transform = effects.transform === undefined ? step : multiply(effects.transform, step);
  }
  return effects;
}

function functionsOf(value: string | number | undefined, path: string): Array<readonly [name: string, value: string]> {
  const text = String(value ?? 'none').trim();
  if (/^(none|initial|inherit|unset|revert)?$/.test(text)) return [];
  return splitOutsideParentheses(text.replaceAll(/\)\s*/g, ') '), ' ').map((word) => {
    const [, name, inner] = /^([a-zA-Z-]+)\((.*)\)$/s.exec(word) ?? [];
    if (name === undefined || inner === undefined)
      fail(
        path,
        `${propertyName(path)} must be none or functions like "${propertyName(path) === 'filter' ? 'blur(4px)' : 'rotate(10deg)'}"; not ${show(value)}.`,
      );
    return [name as string, inner as string] as const;
  });
}

/** The matrix of a transform function; undefined for unsupported ones: 3D, and percentages of the unknown block size. */
function matrixOf(name: string, values: readonly string[], scale: LengthScale): Matrix | undefined {
  const [first = '', second] = values;
  const angle = (text: string) => ((degreesOf(text) ?? Number.NaN) * Math.PI) / 180;
  const length = (text: string) => (text.trim().endsWith('%') ? Number.NaN : (parseLength(text, scale) ?? Number.NaN));
  const matrix = ((): number[] | undefined => {
    const radians = angle(first);
    if (name === 'rotate' || name === 'rotateZ') return [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians), 0, 0];
    if (name === 'scale') return [Number(first), 0, 0, Number(second ?? first), 0, 0];
    if (name === 'scaleX') return [Number(first), 0, 0, 1, 0, 0];
    if (name === 'scaleY') return [1, 0, 0, Number(first), 0, 0];
    if (name === 'translate') return [1, 0, 0, 1, length(first), length(second ?? '0')];
    if (name === 'translateX') return [1, 0, 0, 1, length(first), 0];
    if (name === 'translateY') return [1, 0, 0, 1, 0, length(first)];
    if (name === 'skew') return [1, Math.tan(angle(second ?? '0')), Math.tan(radians), 1, 0, 0];
    if (name === 'skewX') return [1, 0, Math.tan(radians), 1, 0, 0];
    if (name === 'skewY') return [1, Math.tan(radians), 0, 1, 0, 0];
    return name === 'matrix' ? values.map(Number) : undefined;
  })();
  return matrix?.length === 6 && matrix.every((value) => Math.abs(value) < 100_000) ? (matrix as Matrix) : undefined;
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
