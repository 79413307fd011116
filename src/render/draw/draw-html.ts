import { join } from 'node:path';
import { AppError } from '../../errors/index.js';
import type { HtmlPage } from '../../graphics/index.js';
import type { HtmlElement, Movie, Visual } from '../../script/index.js';
import { areaBox, contentPlacement, maxScale } from '../../timeline/index.js';
import { imageLimits } from '../assets/index.js';
import { allElements, frameCountsByPath } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import type { DrawnElements, DrawRequest } from './drawn-elements.js';

/** Draws the HTML elements of the movie, and those of its components, in a browser that is closed afterwards. */
export async function drawHtml(
  request: DrawRequest,
  openHtml: RenderContext['openHtml'],
  componentPages: ReadonlyMap<string, HtmlPage> = new Map(),
): Promise<Pick<DrawnElements, 'pages' | 'warnings'>> {
  const { movie, durations, workDir, signal } = request;
  const drawn: Pick<DrawnElements, 'pages' | 'warnings'> = { pages: new Map(), warnings: [] };
  const elements = allElements(movie).filter((one): one is HtmlElement => one.type === 'html');
  const pages = new Map([...elements.map((element) => [element.path, pageOf(element, movie)] as const), ...componentPages]);
  const [first] = pages.keys();
  if (first === undefined) return drawn;
  if (openHtml === undefined) throw new AppError('RENDER_FAILED', { path: first, message: `${first}: pages cannot be drawn here.` });
  await using sprites = openHtml(join(workDir, 'html'));
  const frames = frameCountsByPath(movie, durations);
  for (const { path, dpi } of elements) {
    const used = pages.get(path)?.dpi ?? dpi;
    if (used < dpi) drawn.warnings.push({ path, message: `the image would be too large with a density of ${dpi}; ${used.toFixed(2)} is used` });
  }
  for (const [path, page] of pages) {
    const count = frames.get(path) ?? 0;
    if (count < 1) continue;
    const drawnPage = await sprites.draw(page, { fps: movie.fps, frames: count, signal });
    drawn.pages.set(path, { kind: drawnPage.kind, path: drawnPage.path });
    drawn.warnings.push(...drawnPage.warnings.map((message) => ({ path, message })));
  }
  return drawn;
}

/** Maximum pixel density of a magnified page whose script does not set a higher one. */
const MAX_SCALE = 2;

/** Pixel density of a page: image pixels per canvas pixel, within the image size limits. */
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
    path,
  };
}
