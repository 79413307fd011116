/** Changes of colours that are computed as one table, in the order of their application. At least one is present. */
export interface Grade {
  /** Mired and tint, -100..100. */
  whiteBalance?: { temperature: number; tint: number };
  curves?: ToneCurves;
  /** `amount`: share of the mapped colour, above 0 up to 1. */
  lut?: { src: string; amount: number };
}

/** Points of tone curves, 0..1, in ascending order of input; the master curve follows the others. */
export type ToneCurves = Readonly<Partial<Record<'master' | 'red' | 'green' | 'blue', ReadonlyArray<readonly [input: number, output: number]>>>>;

/** Canvas pixels: top left, top right, bottom right, bottom left. */
export type Corners = ReadonlyArray<readonly [x: number, y: number]>;
