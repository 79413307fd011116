import type { Piece } from '../../timeline/index.js';
import type { RenderContext } from '../render-context.js';
import { drawComponents } from './draw-components.js';
import { drawHtml } from './draw-html.js';
import { drawSubtitles } from './draw-subtitles.js';
import { drawTexts } from './draw-texts.js';
import type { DrawnElements, DrawRequest } from './drawn-elements.js';

/** Draws the texts, subtitles, components and pages of a movie. */
export async function drawElements(request: DrawRequest, parts: RenderContext): Promise<DrawnElements> {
  const components = await drawComponents(request, parts);
  const texts = await drawTexts(request, parts.sprites);
  const subtitles = await drawSubtitles(request, parts);
  const steps = [texts, subtitles, components];
  const html = await drawHtml(request, parts.openHtml, components.pages);
  const pieces = new Map(steps.flatMap((step) => [...step.pieces]));
  for (const [path, { width, height }] of components.pages) {
    const page = html.pages.get(path);
    if (page !== undefined)
      pieces.set(path, [{ ...page, x: 0, y: 0, width, height, ...(page.kind === 'sequence' ? { media: { in: 0 } } : {}) } satisfies Piece]);
  }
  return { pieces, pages: html.pages, captions: subtitles.captions, warnings: [...steps, html].flatMap((step) => step.warnings) };
}
