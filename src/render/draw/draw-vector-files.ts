import { join } from 'node:path';
import { AppError, withPath } from '../../errors/index.js';
import { drawLottie, rasterizeSvg } from '../../graphics/index.js';
import type { ImageElement, Movie, ResolvedDurations } from '../../script/index.js';
import { type MediaFile, maxDisplayScale } from '../../timeline/index.js';
import { imageLimits } from '../assets/index.js';
import { allElements, frameCountsByPath } from '../elements.js';
import type { RenderContext } from '../render-context.js';

interface Files {
  /** By element path. */
  media: ReadonlyMap<string, MediaFile>;
  /** By the path of the element or transition. */
  masks: ReadonlyMap<string, MediaFile>;
}

interface Request extends Files {
  movie: Movie;
  durations: ResolvedDurations;
  workDir: string;
  signal: AbortSignal;
}

/** Draws SVG and Lottie files at their largest display size; returns the files with the paths replaced. */
export async function drawVectorFiles(
  { movie, durations, media, masks, workDir, signal }: Request,
  { sandboxMode }: Pick<RenderContext, 'sandboxMode'>,
): Promise<Files> {
  const settings = { folder: join(workDir, 'drawings'), mode: sandboxMode ?? 'auto', signal };
  const drawn = async (file: MediaFile, scale: number, path: string): Promise<MediaFile> => {
    try {
      return { ...file, path: await rasterizeSvg({ path: file.path, ...pixelSizeAt(file, scale), ...settings }) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
      throw withPath(error, path);
    }
  };
  const frames = frameCountsByPath(movie, durations);
  const animated = async (element: ImageElement, file: MediaFile): Promise<MediaFile> => {
    const size = pixelSizeAt(file, maxDisplayScale(element, file, movie));
    const { fps } = movie;
    const drawing = { ...file, ...size, plays: element.loop ?? -1, fps, frames: Math.max(1, frames.get(element.path) ?? 0) };
    const { kind, path } = await drawLottie(drawing, settings).catch((error: unknown) => {
      throw error instanceof AppError ? withPath(error, `${element.path}.src`) : error;
    });
    return { ...file, path, drawnAs: kind };
  };
  // A mask may cover an element of any size, so it is rasterized to cover the canvas.
  const cover = (of: MediaFile): number => Math.max(movie.width / of.width, movie.height / of.height);
  const replaced = { media: new Map(media), masks: new Map(masks) };
  for (const element of allElements(movie)) {
    const [file, mask] = [media.get(element.path), masks.get(element.path)];
    if (element.type === 'image' && file?.isSvg === true) {
      replaced.media.set(element.path, await drawn(file, maxDisplayScale(element, file, movie), `${element.path}.src`));
    }
    if (element.type === 'image' && file?.isLottie === true) replaced.media.set(element.path, await animated(element, file));
    if (mask?.isSvg === true) replaced.masks.set(element.path, await drawn(mask, cover(mask), `${element.path}.mask`));
  }
  for (const { path } of movie.scenes) {
    const luma = masks.get(`${path}.transition`);
    if (luma?.isSvg === true) replaced.masks.set(`${path}.transition`, await drawn(luma, cover(luma), `${path}.transition.src`));
  }
  return replaced;
}

function pixelSizeAt({ width, height }: MediaFile, scale: number): { width: number; height: number } {
  const { maxPixels, maxSide } = imageLimits;
  const limited = Math.min(scale, Math.sqrt(maxPixels / (width * height)), maxSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * limited)), height: Math.max(1, Math.round(height * limited)) };
}
