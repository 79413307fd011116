import type { Movie } from '../movie.js';
import type { Fields } from '../validation/fields.js';
import type { LengthScale } from './lengths.js';

/** Sizes of the `resolution` presets. */
const presets: Readonly<Record<string, readonly [width: number, height: number]>> = {
  sd: [640, 360],
  hd: [1280, 720],
  'full-hd': [1920, 1080],
  squared: [1080, 1080],
  'instagram-feed': [1080, 1080],
  'instagram-story': [1080, 1920],
  'twitter-landscape': [1600, 900],
  'twitter-portrait': [1080, 1350],
};

/** Parses the canvas size, rounded up to even. A preset overrides width and height, as JSON2Video documents. */
export function parseSize(movie: Fields): Pick<Movie, 'width' | 'height'> {
  const preset = presets[movie.string('resolution')];
  const [width, height] = preset ?? [movie.number('width'), movie.number('height')];
  return { width: width + (width % 2), height: height + (height % 2) };
}

/** The nearest even number, as the sides of frames must be. */
export function nearestEven(value: number): number {
  return 2 * Math.round(value / 2);
}

/** Frame rates with an NTSC variant (divided by 1.001). */
const broadcastRates = [24, 30, 48, 60, 120];
const DECIMALS = 1_000_000;

/** Frames per second as an exact fraction. */
export function parseFrameRate(fps: number): Movie['fps'] {
  const broadcast = broadcastRates.find((rate) => Math.abs(fps - (rate * 1000) / 1001) < 0.005);
  if (broadcast !== undefined) return { num: broadcast * 1000, den: 1001 };
  const num = Math.round(fps * DECIMALS);
  const divisor = greatestCommonDivisor(num, DECIMALS);
  return { num: num / divisor, den: DECIMALS / divisor };
}

/** Scale of lengths outside of text: em is the default font size; percentages refer to `percent` pixels. */
export function canvasScale(canvas: Pick<Movie, 'width' | 'height'>, percent: number): LengthScale {
  return { canvasWidth: canvas.width, canvasHeight: canvas.height, em: canvas.width * 0.04, percent };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
