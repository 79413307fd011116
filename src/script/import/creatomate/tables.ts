export const blendModes: Readonly<Record<string, string>> = {
  none: 'normal',
  lighter: 'add',
  ...Object.fromEntries(
    ['multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light', 'soft-light', 'difference', 'exclusion'].map((name) => [
      name,
      name,
    ]),
  ),
};

export const transforms: Readonly<Record<string, string>> = { none: 'none', uppercase: 'uppercase', lowercase: 'lowercase', capitalize: 'capitalize' };

/** Colour filters with a value in percent. */
export const filters: Readonly<Record<string, (part: number) => object>> = {
  none: () => ({}),
  brighten: (part) => ({ correction: { brightness: part } }),
  darken: (part) => ({ correction: { brightness: -part } }),
  contrast: (part) => ({ correction: { contrast: 1 + part } }),
  saturate: (part) => ({ correction: { saturation: Math.min(3, 1 + part) } }),
  grayscale: (part) => ({ correction: { saturation: Math.max(0, 1 - part) } }),
};

const named: Readonly<Record<string, number>> = { right: 0, up: 90, left: 180, down: 270 };

/** Converts a direction (degrees counterclockwise from the right, or a word) to a vector to the right and down. */
export function directionVector(direction: unknown): readonly [x: number, y: number] {
  const degrees = (named[String(direction)] ?? Number.parseFloat(String(direction ?? '0'))) * (Math.PI / 180);
  const at = (value: number): number => Math.round(value * 1000) / 1000 || 0;
  return [at(Math.cos(degrees)), at(-Math.sin(degrees))];
}

/** Text animations and the closest text style, by split. */
export const textAnimations: Readonly<Record<string, (split: string) => string>> = {
  'text-appear': (split) => (split === 'letter' ? '004' : '003'),
  'text-fly': (split) => (split === 'letter' ? '006' : '003'),
  'text-slide': (split) => (split === 'letter' ? '005' : '003'),
  'text-spin': () => '007',
  'text-typewriter': () => '004',
  'text-wave': () => '005',
  'text-scale': () => '004',
  'text-reveal': () => '003',
};
