import type { Clip } from '../../contract/index.js';
import type { ChromaKey, Color, Correction, Keyframe, Visual } from '../../script/index.js';
import { colorCurve } from '../color-curve.js';
import { keyframeCurve } from '../curves.js';

const GREEN: Color = { r: 0, g: 255, b: 0, a: 255 };

type Effects = Pick<Clip, 'blend' | 'blur' | 'chromaKey' | 'correction' | 'flipX' | 'flipY' | 'sharpen' | 'vignette' | 'grain' | 'motionBlur'>;

/** Effects of an element that do not depend on the position of a pixel in its box, but for motion. `frames`: of the element. */
export function pixelEffects(element: Visual, frames: number, fps: number): Effects {
  const { blendMode, blur, chromaKey, sharpen, grain, motionBlur } = element;
  const keyed = (property: 'sharpen' | 'grain', own: number) => keyframeCurve(element.keyframes, property, frames, fps) ?? (own === 0 ? undefined : own);
  return compact({
    blend: blendMode === 'normal' ? undefined : blendMode,
    blur: blur === 0 ? undefined : blur,
    chromaKey: chromaKey && keyOf(chromaKey, element.keyframes, frames, fps),
    correction: correctionOf(element, frames, fps),
    sharpen: keyed('sharpen', sharpen),
    vignette: vignetteOf(element, frames, fps),
    grain: keyed('grain', grain),
    motionBlur: keyframeCurve(element.keyframes, 'motionBlur', frames, fps) ?? (motionBlur === 0 ? undefined : motionBlur),
    flipX: element.flipHorizontal || undefined,
    flipY: element.flipVertical || undefined,
  });
}

const neutral: Correction = { brightness: 0, contrast: 1, gamma: 1, saturation: 1 };

function correctionOf({ correction, keyframes }: Visual, frames: number, fps: number): Clip['correction'] {
  const names = Object.keys(neutral) as Array<keyof Correction>;
  const curves = names.map((name) => [name, keyframeCurve(keyframes, name, frames, fps) ?? (correction ?? neutral)[name]] as const);
  if (correction === undefined && curves.every(([, curve]) => typeof curve === 'number')) return undefined;
  return Object.fromEntries(curves) as NonNullable<Clip['correction']>;
}

function vignetteOf({ vignette, keyframes }: Visual, frames: number, fps: number): Clip['vignette'] {
  const curve = (property: 'vignette' | 'vignetteSize' | 'vignetteSoftness') => keyframeCurve(keyframes, property, frames, fps);
  const [amount, size, softness] = [curve('vignette'), curve('vignetteSize'), curve('vignetteSoftness')];
  if (amount === undefined && vignette === undefined) return undefined;
  return { amount: amount ?? 0, ...vignette, ...(amount && { amount }), ...(size && { size }), ...(softness && { softness }) };
}

/** The properties that are not undefined. */
function compact<T extends object>(properties: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The key's values that differ from the usual ones. The planner has chosen a missing colour. */
function keyOf({ color = GREEN, view, ...own }: ChromaKey, keyframes: readonly Keyframe[], frames: number, fps: number): NonNullable<Clip['chromaKey']> {
  const curve = (property: 'keyTolerance' | 'keySoftness' | 'keyDespill' | 'keyChoke', value: number) =>
    keyframeCurve(keyframes, property, frames, fps) ?? value;
  const [softness, despill, choke] = [curve('keySoftness', own.softness), curve('keyDespill', own.despill), curve('keyChoke', own.choke)];
  return {
    color: colorCurve(keyframes, 'keyColor', color, frames, fps),
    tolerance: curve('keyTolerance', own.tolerance),
    ...(softness !== 0.5 && { softness }),
    ...(despill !== 1 && { despill }),
    ...(choke !== 0 && { choke }),
    ...(view !== 'result' && { view }),
  };
}
