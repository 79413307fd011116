/** Straight sRGB colour, 0..255 per channel. */
export interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}

/** A value per side, in canvas pixels. */
export interface Sides {
  top: number;
  right: number;
  bottom: number;
  left: number;
}
