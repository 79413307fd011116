import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, type Problem, withPath } from '../../errors/index.js';
import type { SceneNode } from '../../graphics/components/index.js';
import { drawComponent, type HtmlPage } from '../../graphics/index.js';
import { redactSource } from '../../outbound/index.js';
import type { ComponentElement, Movie } from '../../script/index.js';
import { areaBox, maxScale, type Piece } from '../../timeline/index.js';
import { imageLimits } from '../assets/index.js';
import { allElements, frameCountsByPath } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { pageDensity } from './draw-html.js';
import type { DrawRequest } from './drawn-elements.js';
import { drawStates } from './drawn-states.js';

const MAX_IMAGE_BYTES = 64 * 1024 ** 2;

/** Components as pieces, or as HTML pages that a browser still has to draw. */
interface DrawnComponents {
  pieces: Map<string, Piece[]>;
  /** HTML components, by element path. */
  pages: Map<string, HtmlPage>;
  warnings: Problem[];
}

type Parts = Pick<RenderContext, 'packs' | 'sprites' | 'assets' | 'engine' | 'sandboxMode'>;

/** Draws every component of the movie that needs no browser. */
export async function drawComponents(request: DrawRequest, parts: Parts): Promise<DrawnComponents> {
  const { movie, durations } = request;
  const elements = allElements(movie).filter((one): one is ComponentElement => one.type === 'component');
  const drawn: DrawnComponents = { pieces: new Map(), pages: new Map(), warnings: [] };
  const frames = frameCountsByPath(movie, durations);
  for (const element of elements) {
    const count = frames.get(element.path) ?? 0;
    if (count < 1) continue;
    request.signal.throwIfAborted();
    const viewport = boxOf(element, movie);
    const description = parts.packs.describe(element.component, element.settings, element.path, viewport, element.theme);
    if (description.kind === 'html') {
      drawn.pages.set(element.path, {
        html: description.html,
        ...viewport,
        css: {},
        tailwind: false,
        wait: 0,
        dpi: pageDensity(element, 1, viewport),
        path: element.path,
      });
      continue;
    }
    const { pieces, warnings } = await drawTree({ element, root: description.root, viewport, frames: count, request }, parts);
    drawn.pieces.set(element.path, pieces);
    for (const message of new Set([...description.warnings, ...warnings])) drawn.warnings.push({ path: element.path, message });
  }
  return drawn;
}

/** A component to draw. */
interface ComponentDrawing {
  element: ComponentElement;
  /** Its tree with the element's own settings. */
  root: SceneNode | undefined;
  viewport: { width: number; height: number };
  /** Length of the element. */
  frames: number;
  request: DrawRequest;
}

/** Draws a component, once or for each of its states. */
async function drawTree({ element, root, viewport, frames, request }: ComponentDrawing, parts: Parts): Promise<{ pieces: Piece[]; warnings: string[] }> {
  const { movie, workDir, signal } = request;
  const draw = async (state: ComponentElement, tree: SceneNode | undefined) => {
    const { images, warnings } = await fetchImages(state, parts, signal);
    const options = {
      folder: join(workDir, 'components'),
      fonts: parts.sprites.fonts,
      ...viewport,
      density: maxScale(element),
      fps: movie.fps,
      frames,
      images,
      path: element.path,
      sandboxMode: parts.sandboxMode ?? 'auto',
      signal,
    };
    const drawn = await drawComponent(tree, options);
    return { pieces: drawn.pieces, warnings: [...warnings, ...drawn.warnings] };
  };
  const { varying } = element;
  if (varying === undefined) return draw(element, root);
  return drawStates({ path: element.path, varying }, { frames, fps: movie.fps }, (state) => {
    signal.throwIfAborted();
    const description = parts.packs.describe(state.component, state.settings, element.path, viewport, state.theme);
    return draw(state, description.kind === 'native' ? description.root : undefined);
  });
}

function boxOf(element: ComponentElement, movie: Movie): { width: number; height: number } {
  const { width, height } = areaBox(element, movie);
  return { width: Math.max(2, Math.round(width)), height: Math.max(2, Math.round(height)) };
}

/** Fetches the images that the settings name; file paths by URL. */
export async function fetchImages(
  element: ComponentElement,
  { assets, engine }: Pick<Parts, 'assets' | 'engine'>,
  signal: AbortSignal,
): Promise<{ images: Map<string, string>; warnings: string[] }> {
  const files = new Map<string, string>();
  const warnings: string[] = [];
  for (const { path, url } of element.media) {
    const file = await assets.fetchFile(url, path, 'image', MAX_IMAGE_BYTES, signal);
    if (!(await isVectorGraphic(file.path))) {
      const { width, height, plays } = await probeImage(file.path, { path, url }, engine);
      if (plays !== undefined)
        warnings.push(
          `${withinElement(path, element)}: only the first frame of the animated image ${redactSource(url)} is shown; use an image element to play it`,
        );
      if (width * height > imageLimits.maxPixels)
        throw new AppError('RENDER_FAILED', {
          path,
          message: `${path}: the image has ${width} × ${height} pixels; at most ${imageLimits.maxPixels} are allowed.`,
        });
    }
    files.set(url, file.path);
  }
  return { images: files, warnings };
}

async function probeImage(file: string, { path, url }: ComponentElement['media'][number], engine: Parts['engine']): ReturnType<Parts['engine']['probe']> {
  try {
    return await engine.probe(file);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
    throw withPath(error, path, `the image at ${redactSource(url)} cannot be read: `);
  }
}

function withinElement(path: string, element: ComponentElement): string {
  return path.startsWith(`${element.path}.`) ? path.slice(element.path.length + 1) : path;
}

async function isVectorGraphic(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  return /^\ufeff?\s*</.test(buffer.toString('utf8', 0, bytesRead));
}
