import type { Movie, TextElement } from '../movie/index.js';
import type { TextSpriteDrawer } from '../sprites/index.js';
import { textStyleMotion } from '../sprites/index.js';
import type { TextPiece } from '../timeline/index.js';
import { textBox } from '../timeline/index.js';
import { allElements } from './resolve-media.js';

/** Draws every text of the movie once; pieces by element path, with the motion that the text's style gives them. */
export async function drawTexts(movie: Movie, sprites: TextSpriteDrawer): Promise<{ pieces: Map<string, TextPiece[]>; warnings: string[] }> {
  const pieces = new Map<string, TextPiece[]>();
  const warnings = new Set<string>();
  for (const element of allElements(movie).filter((one): one is TextElement => one.type === 'text')) {
    const drawn = await sprites.drawText(element, textBox(element, movie));
    const motion = textStyleMotion(element.style, drawn.pieces, movie.fps);
    pieces.set(
      element.path,
      drawn.pieces.map(({ path, x, y, width, height }, index) => ({ path, x, y, width, height, ...motion[index] })),
    );
    for (const warning of drawn.warnings) warnings.add(`${element.path}: ${warning}`);
  }
  return { pieces, warnings: [...warnings] };
}
