import { join } from 'node:path';
import { AppError } from '../../errors/index.js';
import type { HtmlPage } from '../../graphics/index.js';
import type { HtmlElement, Movie, Visual } from '../../script/index.js';
import { areaBox, contentPlacement, maxScale } from '../../timeline/index.js';
import { imageLimits } from '../assets/index.js';
import { allElements, frameCountsByPath } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import type { DrawnElements, DrawRequest } from './drawn-elements.js';

/** Draws every page of the movie, and those of its components, in a browser, which runs no longer than that. */
export async function drawHtml(
  request: DrawRequest,
  openHtml: RenderContext['openHtml'],
  ofComponents: ReadonlyMap<string, HtmlPage> = new Map(),
): Promise<Pick<DrawnElements, 'pages' | 'warnings'>> {
  const { movie, durations, workDir, signal } = request;
  const drawn: Pick<DrawnElements, 'pages' | 'warnings'> = { pages: new Map(), warnings: [] };
  const elements = allElements(movie).filter((one): one is HtmlElement => one.type === 'html');
  const pages = new Map([...elements.map((element) => [element.path, pageOf(element, movie)] as const), ...ofComponents]);
  const [first] = pages.keys();
  if (first === undefined) return drawn;
  if (openHtml === undefined) throw new AppError('RENDER_FAILED', { path: first, message: `${first}: pages cannot be drawn here.` });
  await using sprites = openHtml(join(workDir, 'html'));
  const frames = frameCountsByPath(movie, durations);
  for (const { path, dpi } of elements) {
    const used = pages.get(path)?.dpi ?? dpi;
    if (used < dpi) drawn.warnings.push({ path, message: `a density of ${dpi} would be too large a picture; ${used.toFixed(2)} is used` });
  }
  for (const [path, page] of pages) {
    const count = frames.get(path) ?? 0;
    if (count < 1) continue;
    const picture = await sprites.draw(page, { fps: movie.fps, frames: count, signal });
    drawn.pages.set(path, { kind: picture.kind, path: picture.path });
    drawn.warnings.push(...picture.warnings.map((message) => ({ path, message })));
  }
  return drawn;
}

/** Twice as many pixels each way: what a page that is magnified is drawn with at most, if it does not ask for more itself. */
const MAX_SCALE = 2;

/** Pixels of a page's picture to one of the canvas, within what a picture may have. */
export function pageDensity(element: Visual, asked: number, { width, height }: { width: number; height: number }): number {
  const wanted = Math.max(asked, Math.min(MAX_SCALE, maxScale(element)));
  return Math.min(wanted, Math.sqrt(imageLimits.maxPixels / (width * height)), imageLimits.maxSide / Math.max(width, height));
}

function pageOf(element: HtmlElement, movie: Movie): HtmlPage {
  const { html, src, css, tailwind, wait, path } = element;
  const box = areaBox(element, movie);
  const width = Math.max(1, Math.round(box.width));
  const height = Math.max(1, Math.round(box.height));
  const dpi = pageDensity(element, element.dpi, { width, height });
  const place = contentPlacement(element, movie);
  return {
    ...(place && { place }),
    ...(html === undefined ? {} : { html }),
    ...(src === undefined ? {} : { url: src }),
    width,
    height,
    css,
    tailwind,
    wait,
    dpi,
    path: path,
  };
}
