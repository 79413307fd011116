import type { Problem } from '../../errors/index.js';
import type { TextSpriteDrawer, TextSprites } from '../../graphics/index.js';
import { textStyleMotion } from '../../graphics/index.js';
import type { Movie, TextElement } from '../../script/index.js';
import type { Piece } from '../../timeline/index.js';
import { animateText, maxScale, textBox, textHighlight } from '../../timeline/index.js';
import { allElements, frameCountsByPath } from '../elements.js';
import { startInOrder } from '../start-in-order.js';
import type { DrawnElements, DrawRequest } from './drawn-elements.js';
import { drawStates } from './drawn-states.js';

/** Drawing one text overlaps with writing the files of others. */
const MAX_PARALLEL = 3;

/** Draws every text of the movie; pieces by element path, with the motion of the text's style. */
export async function drawTexts({ movie, durations, signal }: DrawRequest, sprites: TextSpriteDrawer): Promise<Pick<DrawnElements, 'pieces' | 'warnings'>> {
  const pieces = new Map<string, Piece[]>();
  const warnings: Problem[] = [];
  const frames = frameCountsByPath(movie, durations);
  const texts = allElements(movie).filter((one): one is TextElement => one.type === 'text');
  const order = { count: texts.length, maxParallel: MAX_PARALLEL, continuesPrevious: () => false };
  const drawings = await startInOrder(order, signal, async (index, either, onBegun) => {
    onBegun();
    const element = texts[index] as TextElement;
    return { element, ...(await drawText(element, movie, frames.get(element.path) ?? 0, sprites, either)) };
  });
  for (const { element, pieces: drawn, warnings: own } of drawings) {
    pieces.set(element.path, drawn);
    for (const message of new Set(own)) warnings.push({ path: element.path, message });
  }
  return { pieces, warnings };
}

/** Draws a text, once or for each of its states. */
async function drawText(element: TextElement, movie: Movie, frames: number, sprites: TextSpriteDrawer, signal: AbortSignal) {
  const draw = async (state: TextElement, isVarying: boolean) => {
    const drawn = await sprites.drawText(state, textBox(state, movie), { density: maxScale(element), isVarying, signal });
    return { pieces: movingPieces(state, drawn, movie, frames), warnings: drawn.warnings };
  };
  const { varying, keyframes } = element;
  if (varying === undefined) return draw(element, false);
  return drawStates({ path: element.path, varying }, { frames, fps: movie.fps }, (state) => draw({ ...state, keyframes }, true));
}

/** The drawings of a text with the motion of its `animate`, or else of its style. */
function movingPieces(element: TextElement, { pieces, fontSize }: TextSprites, movie: Movie, frames: number): Piece[] {
  const content = pieces.map(({ path, x, y, width, height, tint }) => ({ kind: 'sprite' as const, path, x, y, width, height, ...(tint && { tint }) }));
  if (element.animate === undefined) {
    const motion = textStyleMotion(element.style, pieces, { fps: movie.fps, frames, fontSize, text: element.text });
    return content.map((piece, index) => ({ ...piece, ...motion[index] }));
  }
  const context = { fps: movie.fps.num / movie.fps.den, frames, box: textBox(element, movie), canvas: movie, fontSize };
  const animated = animateText(element, pieces, context);
  const moving = (role: 'background' | 'other') =>
    animated.flatMap(({ piece, ...motion }) => {
      const drawn = content[piece];
      const isBackground = pieces[piece]?.role === 'background';
      return drawn === undefined || isBackground !== (role === 'background') ? [] : [{ ...drawn, ...motion }];
    });
  return [...moving('background'), ...textHighlight(element, pieces, context), ...moving('other')];
}
