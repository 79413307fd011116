const OVERSHOOT = 1.70158; // the customary "back" constant: 10 % overshoot
const IN_OUT_OVERSHOOT = OVERSHOOT * 1.525;

/** Ease-in curves by family; ease-out and ease-in-out are mirrored from them. */
const families: Readonly<Record<string, (t: number) => number>> = {
  Quad: (t) => t ** 2,
  Cubic: (t) => t ** 3,
  Sine: (t) => 1 - Math.cos((t * Math.PI) / 2),
  Expo: (t) => 2 ** (10 * t - 10),
  Circ: (t) => 1 - Math.sqrt(1 - t * t),
  Back: (t) => back(t, OVERSHOOT),
  Elastic: (t) => -(2 ** (10 * t - 10)) * Math.sin(((t * 10 - 10.75) * 2 * Math.PI) / 3),
};

function back(t: number, overshoot: number): number {
  return (overshoot + 1) * t ** 3 - overshoot * t ** 2;
}

function elasticInOut(t: number): number {
  const wave = Math.sin(((20 * t - 11.125) * 2 * Math.PI) / 4.5) / 2;
  return t < 0.5 ? -(2 ** (20 * t - 10)) * wave : 2 ** (10 - 20 * t) * wave + 1;
}

/** Evaluates an easing at `t` (0..1), exactly as native/timeline/easing.cc does; used to combine curves before they are sent to the engine. */
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
