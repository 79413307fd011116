import type { Movie, ResolvedDurations, TextElement } from '../movie/index.js';
import type { TextSpriteDrawer } from '../sprites/index.js';
import { textStyleMotion } from '../sprites/index.js';
import type { TextPiece } from '../timeline/index.js';
import { textBox } from '../timeline/index.js';
import { allElements } from './resolve-media.js';

/** Draws every text of the movie once; pieces by element path, with the motion that the text's style gives them. */
export async function drawTexts(
  movie: Movie,
  durations: ResolvedDurations,
  sprites: TextSpriteDrawer,
): Promise<{ pieces: Map<string, TextPiece[]>; warnings: string[] }> {
  const pieces = new Map<string, TextPiece[]>();
  const warnings = new Set<string>();
  const frames = framesByPath(movie, durations);
  for (const element of allElements(movie).filter((one): one is TextElement => one.type === 'text')) {
    const drawn = await sprites.drawText(element, textBox(element, movie));
    const motion = textStyleMotion(element.style, drawn.pieces, {
      fps: movie.fps,
      frames: frames.get(element.path) ?? 0,
      fontSize: drawn.fontSize,
      text: element.text,
    });
    pieces.set(
      element.path,
      drawn.pieces.map(({ path, x, y, width, height }, index) => ({ path, x, y, width, height, ...motion[index] })),
    );
    for (const warning of drawn.warnings) warnings.add(`${element.path}: ${warning}`);
  }
  return { pieces, warnings: [...warnings] };
}

function framesByPath(movie: Movie, durations: ResolvedDurations): Map<string, number> {
  const lists = [
    ...movie.scenes.map((scene, i) => ({ elements: scene.elements, spans: durations.scenes[i]?.elements })),
    { elements: movie.elements, spans: durations.elements },
  ];
  return new Map(lists.flatMap(({ elements, spans }) => elements.map((element, k) => [element.path, spans?.[k]?.frames ?? 0] as const)));
}
