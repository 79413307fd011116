import type { Engine } from '../../engine/index.js';
import type { Problem } from '../../errors/index.js';
import type { ChromaKey, Color, Element, ImageElement, Movie, VideoElement } from '../../script/index.js';
import { firstFrame, type MediaFile } from '../../timeline/index.js';

/** Size of the examined frame: enough to see where the screen is. */
const EXAMINED = { width: 160, height: 96 };
/** Share of each side that counts as the border, where a screen is most likely alone. */
const BORDER = 0.2;
/** Chroma, on a scale of 1, from which a pixel is colourful. */
const MIN_CHROMA = 0.12;
/** The smallest share of the border, and of the whole frame, that a screen takes. */
const MIN_SHARE = { border: 0.1, frame: 0.04 };
const HUES = 36;
const GREEN: Color = { r: 0, g: 255, b: 0, a: 255 };

type Keyed = (ImageElement | VideoElement) & { chromaKey: ChromaKey };

const isKeyedWithoutColor = (element: Element): element is Keyed =>
  (element.type === 'image' || element.type === 'video') && element.chromaKey !== undefined && element.chromaKey.color === undefined;

/** Gives every chroma key without a colour the colour of the screen in the first frame that its element shows. */
export async function chooseKeyColors(
  movie: Movie,
  media: ReadonlyMap<string, MediaFile>,
  engine: Pick<Engine, 'composeFrame'>,
  signal: AbortSignal,
): Promise<{ movie: Movie; warnings: Problem[] }> {
  const warnings: Problem[] = [];
  const known = new Map<string, Color | undefined>();
  const keyed = async <T extends Element>(element: T): Promise<T> => {
    const file = media.get(element.path);
    if (!isKeyedWithoutColor(element) || file === undefined) return element;
    const timeline = JSON.stringify(firstFrame(element, file, EXAMINED));
    if (!known.has(timeline)) known.set(timeline, findScreenColor(await engine.composeFrame(Buffer.from(timeline), 0, { signal })));
    const color = known.get(timeline);
    if (color === undefined)
      warnings.push({ path: `${element.path}.chroma_key`, message: 'no screen was found in the first frame; green is keyed. Give the key its color.' });
    return { ...element, chromaKey: { ...element.chromaKey, color: color ?? GREEN } };
  };
  const all = async <T extends Element>(elements: readonly T[]): Promise<T[]> => {
    const made: T[] = [];
    for (const element of elements) made.push(await keyed(element));
    return made;
  };
  const scenes: Movie['scenes'] = [];
  for (const scene of movie.scenes) scenes.push({ ...scene, elements: await all(scene.elements) });
  return { movie: { ...movie, scenes, elements: await all(movie.elements) }, warnings };
}

interface Frame {
  width: number;
  height: number;
  /** RGBA. */
  pixels: Uint8Array;
}

/** The colour of the screen behind a person or thing: the most frequent hue of the border, or else of the frame; undefined: there is none. */
export function findScreenColor(frame: Frame): Color | undefined {
  const { width, height } = frame;
  const isBorder = (x: number, y: number): boolean => x < width * BORDER || x >= width * (1 - BORDER) || y < height * BORDER;
  return dominantHue(frame, isBorder, MIN_SHARE.border) ?? dominantHue(frame, () => true, MIN_SHARE.frame);
}

interface Sum {
  r: number;
  g: number;
  b: number;
  count: number;
}

function dominantHue({ width, height, pixels }: Frame, counts: (x: number, y: number) => boolean, minShare: number): Color | undefined {
  const sums: Sum[] = Array.from({ length: HUES }, () => ({ r: 0, g: 0, b: 0, count: 0 }));
  let seen = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!counts(x, y)) continue;
      seen++;
      const at = (y * width + x) * 4;
      const [r = 0, g = 0, b = 0] = pixels.subarray(at, at + 3);
      const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
      const [u, v] = [(b - luma) / 1.8556 / 255, (r - luma) / 1.5748 / 255];
      if (Math.hypot(u, v) < MIN_CHROMA) continue;
      const sum = sums[Math.floor((Math.atan2(v, u) / (2 * Math.PI) + 1) * HUES) % HUES] as Sum;
      sum.r += r;
      sum.g += g;
      sum.b += b;
      sum.count++;
    }
  }
  // A screen's hue may lie at the edge between two parts of the circle.
  const near = sums.map((_, hue) => [-1, 0, 1].map((step) => sums[(hue + step + HUES) % HUES] as Sum));
  const countOf = (parts: readonly Sum[]): number => parts.reduce((count, part) => count + part.count, 0);
  const best = near.reduce((found, parts) => (countOf(parts) > countOf(found) ? parts : found));
  const count = countOf(best);
  if (count < minShare * seen || count === 0) return undefined;
  const mean = (channel: 'r' | 'g' | 'b'): number => Math.round(best.reduce((sum, part) => sum + part[channel], 0) / count);
  return { r: mean('r'), g: mean('g'), b: mean('b'), a: 255 };
}
