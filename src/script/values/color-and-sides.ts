/** Straight sRGB, 0..255 each. */
export interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}

export interface Sides {
  top: number;
  right: number;
  bottom: number;
  left: number;
}
