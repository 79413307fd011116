import { drawTexts } from './draw-texts.js';
import type { DrawnElements, DrawRequest } from './drawn-elements.js';
import type { RenderParts } from './render-parts.js';

/** Draws everything of a movie that is not a file of its own. */
export async function drawElements(request: DrawRequest, parts: RenderParts): Promise<DrawnElements> {
  const steps = [await drawTexts(request, parts.sprites)];
  return {
    pieces: new Map(steps.flatMap((step) => [...step.pieces])),
    pages: new Map(),
    warnings: steps.flatMap((step) => step.warnings),
  };
}
