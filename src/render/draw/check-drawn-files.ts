import { allElements, frameCountsByPath } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { readCaptions } from './caption-sources.js';
import { fetchImages } from './draw-components.js';
import type { DrawRequest } from './drawn-elements.js';

const MAX_PAGE_BYTES = 64 * 1024 ** 2;

/** Fetches the captions, component images and pages that are drawn later, and fails as drawing them would. */
export async function checkDrawnFiles(
  { movie, durations, signal }: Pick<DrawRequest, 'movie' | 'durations' | 'signal'>,
  parts: Pick<RenderContext, 'assets' | 'engine'>,
): Promise<void> {
  const frames = frameCountsByPath(movie, durations);
  for (const element of allElements(movie)) {
    const { type, path } = element;
    const isShown = (frames.get(path) ?? 0) > 0;
    if (type === 'subtitles' && element.captions !== undefined) await readCaptions({ ...element, captions: element.captions }, parts, signal);
    if (type === 'component' && isShown) await fetchImages(element, parts, signal);
    if (type === 'html' && element.src !== undefined && isShown) await parts.assets.fetchFile(element.src, `${path}.src`, 'page', MAX_PAGE_BYTES, signal);
  }
}
