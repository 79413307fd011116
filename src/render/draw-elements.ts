import { drawHtml } from './draw-html.js';
import { drawSubtitles } from './draw-subtitles.js';
import { drawTexts } from './draw-texts.js';
import type { DrawnElements, DrawRequest } from './drawn-elements.js';
import type { RenderParts } from './render-parts.js';

/** Draws everything of a movie that is not a file of its own. */
export async function drawElements(request: DrawRequest, parts: RenderParts): Promise<DrawnElements> {
  const steps = [await drawTexts(request, parts.sprites), await drawSubtitles(request, parts)];
  const html = await drawHtml(request, parts.openHtml);
  return {
    pieces: new Map(steps.flatMap((step) => [...step.pieces])),
    pages: html.pages,
    warnings: [...steps, html].flatMap((step) => step.warnings),
  };
}
