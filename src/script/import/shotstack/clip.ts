import { isObject, type SourceFields } from '../fields.js';
import { easings, type Keyframe, type KeyframeBuilder } from '../keyframes.js';

export interface Canvas {
  width: number;
  height: number;
}

/** A clip being converted. */
export interface ClipContext {
  clip: SourceFields;
  asset: SourceFields;
  canvas: Canvas;
  keyframes: KeyframeBuilder;
  /** Length in seconds, if known. */
  length: number | undefined;
}

/** Converts tweens of one property to keyframes. */
export function tweens(fields: SourceFields, name: string, at: (value: number) => Omit<Keyframe, 'time'>): Keyframe[] {
  const list = fields.raw(name);
  if (!Array.isArray(list)) {
    if (list !== undefined) fields.omit(name, 'a number, or a list of tweens');
    return [];
  }
  return fields.list(name).flatMap((tween) => {
    const [from, to] = [tween.number('from') ?? 0, tween.number('to') ?? 0];
    const start = tween.number('start') ?? 0;
    const named = tween.choice('easing', easings, '; it is linear');
    const interpolation = tween.text('interpolation');
    const easing = interpolation === 'constant' ? 'hold' : (named ?? (interpolation === 'bezier' ? 'easeInOutQuad' : 'linear'));
    return [
      { time: start, easing, ...at(from) },
      { time: start + (tween.number('length') ?? 1), ...at(to) },
    ];
  });
}

/** Converts Shotstack's `#aarrggbb` to `#rrggbbaa`; other colours are unchanged. */
export function colorOf(text: string): string {
  const [, alpha, rest] = /^#([0-9a-f]{2})([0-9a-f]{6})$/i.exec(text) ?? [];
  return alpha === undefined ? text : `#${rest}${alpha}`;
}

export function isTweenList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}
