import { contrastOf } from '../../../src/graphics/components/contrast.js';
import { drawElements } from '../../../src/render/draw/draw-elements.js';
import { drawAndCompile } from '../../../src/render/plan/plan-movie.js';
import { resolveMovie } from '../../../src/render/plan/resolve-movie.js';
import type { RenderContext } from '../../../src/render/render-context.js';
import type { Element, Movie, ResolvedDurations } from '../../../src/script/index.js';
import { areaBox, textBox } from '../../../src/timeline/index.js';
import type { Image } from '../golden-image.js';
import { type Ink, inkOfComponent, inkOfText, type Rect } from './ink.js';
import { type Rest, restOfText } from './rest.js';

/** Time for which a text is complete before it leaves. */
export const minSeconds = 0.7;
export const minContrast = 4.5;

/**
 * Rectangle in which texts stay: 5 % of each side, and in tall videos clear of what the apps for short videos show over
 * them: the account and tabs above, the description below.
 */
export function safeArea({ width, height }: { width: number; height: number }): Rect {
  const isTall = height > width * 1.2;
  const [left, top, bottom] = [width * 0.05, height * (isTall ? 0.07 : 0.05), height * (isTall ? 0.16 : 0.05)];
  return { x: left, y: top, width: width - 2 * left, height: height - top - bottom };
}

/** In tall videos the buttons at the right, below the middle. */
export function buttonArea({ width, height }: { width: number; height: number }): Rect | undefined {
  if (height <= width * 1.2) return undefined;
  return { x: width * 0.88, y: height * 0.58, width: width * 0.12, height: height * 0.26 };
}

interface Shown {
  element: Element;
  /** First frame in the movie, and the number of frames. */
  first: number;
  frames: number;
}

function shownElements(movie: Movie, durations: ResolvedDurations): Shown[] {
  const scenes = movie.scenes.flatMap((scene, i) => {
    const { startFrame = 0, elements = [] } = durations.scenes[i] ?? {};
    return scene.elements.map((element, k) => ({ element, first: startFrame + (elements[k]?.startFrame ?? 0), frames: elements[k]?.frames ?? 0 }));
  });
  const over = movie.elements.map((element, k) => ({
    element,
    first: durations.elements[k]?.startFrame ?? 0,
    frames: durations.elements[k]?.frames ?? 0,
  }));
  return [...scenes, ...over];
}

/** Entrance, exit and fades of a whole element leave this part of its frames. */
function restOfElement(element: Element, frames: number, fps: number): Rest {
  if (element.type !== 'component' && element.type !== 'text') return { from: 0, to: frames };
  const { animate } = element.type === 'component' ? element : { animate: undefined };
  const enter = Math.max(element.fadeIn ?? 0, animate?.in === undefined ? 0 : animate.in.delay + animate.in.duration);
  const leave = Math.max(element.fadeOut ?? 0, animate?.out?.duration ?? 0);
  return { from: enter * fps, to: frames - leave * fps };
}

const linear = (value: number): number => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);

/** Mean luminance of the pixels that `weigh` selects in a part of the ink's surroundings; undefined: fewer than `least`. */
interface Sample {
  r: number;
  g: number;
  b: number;
  count: number;
}

const toByte = (value: number): number => Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));

/**
 * The lowest contrast of a text with what is right around its letters, over squares of the size of a letter: the mean of
 * fully covered pixels against the mean of uncovered pixels next to them.
 */
function lowestContrast(frame: Image, { bounds, coverage, fontSize }: Ink): number {
  const side = Math.max(20, Math.round(fontSize * 1.2));
  const reach = Math.max(3, Math.round(fontSize * 0.1));
  const covered = (x: number, y: number): number => (x < 0 || y < 0 || x >= bounds.width || y >= bounds.height ? 0 : (coverage[y * bounds.width + x] ?? 0));
  const isNear = (x: number, y: number, distance: number): boolean =>
    [-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => covered(x + dx * distance, y + dy * distance) > 24));
  let peak = 0;
  for (const value of coverage) peak = Math.max(peak, value);
  let lowest = 21;
  for (let top = 0; top < bounds.height; top += side) {
    for (let left = 0; left < bounds.width; left += side) {
      const [ink, ground]: [Sample, Sample] = [
        { r: 0, g: 0, b: 0, count: 0 },
        { r: 0, g: 0, b: 0, count: 0 },
      ];
      for (let y = top; y < Math.min(bounds.height, top + side); y++) {
        for (let x = left; x < Math.min(bounds.width, left + side); x++) {
          const here = covered(x, y);
          const isInk = here >= peak * 0.97;
          if (!isInk && (here > 0 || isNear(x, y, 1) || !isNear(x, y, reach))) continue;
          const [column, row] = [bounds.x + x, bounds.y + y];
          if (column < 0 || row < 0 || column >= frame.width || row >= frame.height) continue;
          const at = (row * frame.width + column) * 4;
          const sample = isInk ? ink : ground;
          sample.r += linear(frame.pixels[at] ?? 0);
          sample.g += linear(frame.pixels[at + 1] ?? 0);
          sample.b += linear(frame.pixels[at + 2] ?? 0);
          sample.count++;
        }
      }
      if (ink.count < 12 || ground.count < 12) continue;
      const color = ({ r, g, b, count }: Sample) => ({ r: toByte(r / count), g: toByte(g / count), b: toByte(b / count), a: 255 });
      lowest = Math.min(lowest, contrastOf(color(ink), color(ground)));
    }
  }
  return lowest;
}

const holds = (outer: Rect, { x, y, width, height }: Rect, slack = 1.5): boolean =>
  x >= outer.x - slack && y >= outer.y - slack && x + width <= outer.x + outer.width + slack && y + height <= outer.y + outer.height + slack;

const overlaps = (a: Rect, b: Rect): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function placeProblems(ink: Ink, movie: Movie): string[] {
  const canvas = { x: 0, y: 0, width: movie.width, height: movie.height };
  if (ink.isTicker) return [];
  const buttons = buttonArea(movie);
  return [
    ...(holds(canvas, ink.bounds) && (ink.window === undefined || holds(ink.window, ink.bounds, 2.5)) ? [] : ['is cut']),
    ...(holds(safeArea(movie), ink.bounds) ? [] : [`leaves the safe area: ${JSON.stringify(ink.bounds)}`]),
    ...(buttons !== undefined && overlaps(buttons, ink.bounds) ? ['lies below the buttons of an app'] : []),
  ];
}

/** What makes texts of a movie hard to read: one line for each problem. */
export async function findLegibilityProblems(script: unknown, workDir: string, parts: RenderContext): Promise<string[]> {
  const request = { script, workDir, signal: new AbortController().signal };
  const resolved = await resolveMovie(request, parts, () => undefined);
  const { movie, durations } = resolved;
  const context = { ...parts, assets: resolved.assets };
  const drawn = await drawElements({ ...resolved, workDir, signal: request.signal }, context);
  const { timeline } = await drawAndCompile(resolved, request, parts);
  const fps = movie.fps.num / movie.fps.den;
  const frames = new Map<number, Image>();
  const frameAt = async (frame: number): Promise<Image> => {
    const found = frames.get(frame);
    if (found !== undefined) return found;
    const { width, height, pixels } = await parts.engine.composeFrame(Buffer.from(JSON.stringify({ ...timeline, compositor: 'cpu' })), frame);
    const image = { width, height, pixels: new Uint8ClampedArray(pixels) };
    frames.set(frame, image);
    return image;
  };
  const problems: string[] = [];
  for (const { element, first, frames: count } of shownElements(movie, durations)) {
    if ((element.type !== 'text' && element.type !== 'component') || count < 1) continue;
    const inks = element.type === 'text' ? await inkOfText(element, movie, context) : await inkOfComponent(element, movie, context);
    const origin = element.type === 'text' ? textBox(element, movie) : areaBox(element, movie);
    for (const ink of inks) {
      const own = { ...ink, bounds: { ...ink.bounds, x: ink.bounds.x - origin.x, y: ink.bounds.y - origin.y } };
      const whole = restOfElement(element, count, fps);
      const rest = ink.isTicker ? whole : restOfText(drawn.pieces.get(element.path) ?? [], own, count);
      const [from, to] = [Math.max(rest.from, whole.from), Math.min(rest.to, whole.to)];
      const name = `${element.path} "${ink.text.slice(0, 40)}"`;
      const found = placeProblems(ink, movie);
      if ((to - from) / fps < minSeconds - 1 / fps)
        found.push(`is complete from ${(from / fps).toFixed(2)} s to ${(to / fps).toFixed(2)} s of ${(count / fps).toFixed(2)} s`);
      else if (!ink.isTicker) {
        const contrast = lowestContrast(await frameAt(first + Math.max(0, Math.min(count - 1, Math.round(to - 0.35 * fps)))), ink);
        if (contrast < minContrast - 0.1) found.push(`has a contrast of ${contrast.toFixed(2)}`);
      }
      for (const problem of found) problems.push(`${name} ${problem}`);
    }
  }
  return problems;
}
