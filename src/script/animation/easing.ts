import type { EasingFunction } from './animation.js';

const OVERSHOOT = 1.70158; // the customary "back" constant: 10 % overshoot
const IN_OUT_OVERSHOOT = OVERSHOOT * 1.525;

/** Ease-in curves by family; ease-out and ease-in-out are mirrored from them. */
const families: Readonly<Record<string, (t: number) => number>> = {
  Quad: (t) => t ** 2,
  Cubic: (t) => t ** 3,
  Quart: (t) => t ** 4,
  Quint: (t) => t ** 5,
  Sine: (t) => 1 - Math.cos((t * Math.PI) / 2),
  Expo: (t) => 2 ** (10 * t - 10),
  Circ: (t) => 1 - Math.sqrt(1 - t * t),
  Back: (t) => back(t, OVERSHOOT),
  Elastic: (t) => -(2 ** (10 * t - 10)) * Math.sin(((t * 10 - 10.75) * 2 * Math.PI) / 3),
  Bounce: (t) => 1 - bounceOut(1 - t),
};

function back(t: number, overshoot: number): number {
  return (overshoot + 1) * t ** 3 - overshoot * t ** 2;
}

/** Four parabolas of equal curvature, each a quarter as high as the one before it. */
function bounceOut(t: number): number {
  const [curvature, duration] = [7.5625, 2.75];
  const parabola = (vertex: number, low: number) => curvature * (t - vertex / duration) ** 2 + low;
  if (t < 1 / duration) return parabola(0, 0);
  if (t < 2 / duration) return parabola(1.5, 0.75);
  return t < 2.5 / duration ? parabola(2.25, 0.9375) : parabola(2.625, 0.984375);
}

function elasticInOut(t: number): number {
  const wave = Math.sin(((20 * t - 11.125) * 2 * Math.PI) / 4.5) / 2;
  return t < 0.5 ? -(2 ** (20 * t - 10)) * wave : 2 ** (10 - 20 * t) * wave + 1;
}

/** Evaluates a named easing at `t` (0..1), exactly as native/timeline/easing.cc does; used to combine curves before they are sent to the engine. */
export function ease(easing: string, t: number): number {
  if (t <= 0 || t >= 1) return t <= 0 ? 0 : 1;
  if (easing === 'hold') return 0;
  const [, direction, family = ''] = /^ease(InOut|In|Out)(\w+)$/.exec(easing) ?? [];
  const into = families[family];
  if (into === undefined) return t;
  if (direction === 'In') return into(t);
  if (direction === 'Out') return 1 - into(1 - t);
  if (family === 'Elastic') return elasticInOut(t);
  const half = family === 'Back' ? (u: number) => back(u, IN_OUT_OVERSHOOT) : into;
  return t < 0.5 ? half(2 * t) / 2 : 1 - half(2 - 2 * t) / 2;
}

/** Evaluates any easing at `t` (0..1). The engine knows the named ones; the others are sent to it as one keyframe a frame. */
export function evaluate(easing: EasingFunction, t: number): number {
  if (typeof easing === 'string') return ease(easing, t);
  if (t <= 0 || t >= 1) return t <= 0 ? 0 : 1;
  return 'bezier' in easing ? cubicBezier(easing.bezier, t) : spring(easing.spring, t);
}

/** The y of a CSS cubic-bezier() at x = t. Bisection, because Newton's method fails where the curve is vertical. */
function cubicBezier([x1, y1, x2, y2]: readonly [number, number, number, number], t: number): number {
  const at = (a: number, b: number, u: number) => 3 * a * u * (1 - u) ** 2 + 3 * b * u * u * (1 - u) + u ** 3;
  let [low, high] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (at(x1, x2, middle) < t) low = middle;
    else high = middle;
  }
  return at(y1, y2, (low + high) / 2);
}

/** Distance from rest at which a spring counts as settled. */
const SETTLED = 1e-3;

/** Position of a spring of mass 1 released at 0 towards 1, with its settling time scaled to 1. */
function spring({ stiffness, damping }: { stiffness: number; damping: number }, t: number): number {
  const ratio = damping / (2 * Math.sqrt(stiffness));
  const time = t * settlingTime(ratio);
  if (ratio < 1) {
    const cycle = Math.sqrt(1 - ratio ** 2);
    return 1 - Math.exp(-ratio * time) * (Math.cos(cycle * time) + (ratio / cycle) * Math.sin(cycle * time));
  }
  return 1 - overdamped(ratio, time);
}

/** Distance from rest without oscillation, in units of the undamped frequency. */
function overdamped(ratio: number, time: number): number {
  const root = Math.sqrt(ratio ** 2 - 1);
  if (root < 1e-6) return (1 + time) * Math.exp(-time);
  const [slow, fast] = [root - ratio, -root - ratio];
  return (slow * Math.exp(fast * time) - fast * Math.exp(slow * time)) / (slow - fast);
}

function settlingTime(ratio: number): number {
  if (ratio < 1) return Math.log(1 / (SETTLED * Math.sqrt(1 - ratio ** 2))) / ratio;
  let [low, high] = [0, 20 * ratio];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (overdamped(ratio, middle) > SETTLED) low = middle;
    else high = middle;
  }
  return high;
}
