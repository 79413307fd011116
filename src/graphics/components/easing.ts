/** An easing function: maps 0..1 to progress from 0 to 1, which may overshoot. */
export type Easing = (t: number) => number;

const powers: Readonly<Record<string, number>> = { quad: 2, cubic: 3, quart: 4, quint: 5 };

function rising(family: string, parameters: readonly number[]): Easing | undefined {
  const power = powers[family];
  if (power !== undefined) return (t) => t ** power;
  if (family === 'sine') return (t) => 1 - Math.cos((t * Math.PI) / 2);
  if (family === 'expo') return (t) => (t === 0 ? 0 : 2 ** (10 * t - 10));
  if (family === 'circ') return (t) => 1 - Math.sqrt(1 - t * t);
  if (family === 'back') return (t) => t * t * (2.70158 * t - 1.70158);
  if (family === 'bounce') return (t) => 1 - bounceOut(1 - t);
  if (family === 'elastic') return elastic(parameters[0] ?? 1, parameters[1]);
  return undefined;
}

function elastic(amplitude: number, period: number | undefined): Easing {
  const a = Math.min(10, Math.max(1, amplitude));
  const p = Math.min(2, Math.max(0.1, period ?? 0.3));
  const shift = (p / (2 * Math.PI)) * Math.asin(1 / a);
  return (t) => (t === 0 || t === 1 ? t : -(a * 2 ** (10 * (t - 1)) * Math.sin(((t - 1 - shift) * 2 * Math.PI) / p)));
}

function bounceOut(t: number): number {
  const [n, d] = [7.5625, 2.75];
  if (t < 1 / d) return n * t * t;
  if (t < 2 / d) return n * (t - 1.5 / d) ** 2 + 0.75;
  if (t < 2.5 / d) return n * (t - 2.25 / d) ** 2 + 0.9375;
  return n * (t - 2.625 / d) ** 2 + 0.984375;
}

/** CSS cubic-bezier(); finds the curve parameter for a time by bisection. */
function bezier(x1: number, y1: number, x2: number, y2: number): Easing {
  const at = (a: number, b: number, s: number) => 3 * a * s * (1 - s) ** 2 + 3 * b * s * s * (1 - s) + s ** 3;
  return (t) => {
    let [low, high] = [0, 1];
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      if (at(x1, x2, middle) < t) low = middle;
      else high = middle;
    }
    return at(y1, y2, (low + high) / 2);
  };
}

const cssNames: Readonly<Record<string, Easing>> = {
  linear: (t) => t,
  hold: (t) => (t < 1 ? 0 : 1),
  ease: bezier(0.25, 0.1, 0.25, 1),
  'ease-in': bezier(0.42, 0, 1, 1),
  'ease-out': bezier(0, 0, 0.58, 1),
  'ease-in-out': bezier(0.42, 0, 0.58, 1),
};

/** Returns an easing by its anime.js, CSS or engine name; undefined for unknown names. */
export function findEasing(name: string): Easing | undefined {
  const text = name.trim();
  const [, word = text, inside = ''] = /^([\w-]+)\s*\(([^)]*)\)$/.exec(text) ?? [];
  const numbers = inside === '' ? [] : inside.split(',').map(Number);
  if (numbers.some((number) => !Number.isFinite(number))) return undefined;
  const css = Object.hasOwn(cssNames, word.toLowerCase()) ? cssNames[word.toLowerCase()] : undefined;
  if (css) return css;
  if (/^cubic-?bezier$/i.test(word) && numbers.length === 4) return bezier(...(numbers as [number, number, number, number]));
  if (word === 'steps') {
    const count = Math.max(1, Math.round(numbers[0] ?? 10));
    return (t) => (t >= 1 ? 1 : Math.floor(t * count) / count);
  }
  const match = /^ease(InOut|OutIn|In|Out)(Quad|Cubic|Quart|Quint|Sine|Expo|Circ|Back|Bounce|Elastic)$/i.exec(word);
  const rise = match && rising((match[2] ?? '').toLowerCase(), numbers);
  return rise ? combine((match[1] ?? '').toLowerCase(), rise) : undefined;
}

function combine(kind: string, rise: Easing): Easing {
  const fall: Easing = (t) => 1 - rise(1 - t);
  if (kind === 'in') return rise;
  if (kind === 'out') return fall;
  if (kind === 'inout') return (t) => (t < 0.5 ? rise(2 * t) / 2 : 0.5 + fall(2 * t - 1) / 2);
  return (t) => (t < 0.5 ? fall(2 * t) / 2 : 0.5 + rise(2 * t - 1) / 2);
}

const families = ['Quad', 'Cubic', 'Quart', 'Quint', 'Sine', 'Expo', 'Circ', 'Back', 'Bounce', 'Elastic'];

/** Names of all easings without parameters. */
export const easingNames: readonly string[] = [
  ...Object.keys(cssNames),
  ...families.flatMap((family) => ['In', 'Out', 'InOut', 'OutIn'].map((kind) => `ease${kind}${family}`)),
];
