import { AppError } from '../../errors/index.js';
import type { Varying } from '../../script/index.js';
import { joinStates, type Piece, statesOf } from '../../timeline/index.js';

/** Limit of the drawings of one element, in bytes: a title of a third of a 1080p frame for a minute. */
const MAX_BYTES = 4 * 1024 ** 3;

/** What is drawn of an element, back to front. */
interface Drawn {
  pieces: Piece[];
  warnings: string[];
}

/**
 * Draws an element once for each of its states. Throws RENDER_FAILED where that takes too much space. `draw`: draws one state; its pieces count
 * frames from the start of the element.
 */
export async function drawStates<E>(
  { path, varying }: { path: string; varying: Varying<E> },
  { frames, fps }: { frames: number; fps: { num: number; den: number } },
  draw: (state: E) => Promise<Drawn>,
): Promise<Drawn> {
  const states: Array<Drawn & { start: number; frames: number }> = [];
  const files = new Set<string>();
  let bytes = 0;
  for (const { element, ...time } of statesOf(varying, frames, fps.num / fps.den)) {
    const drawn = await draw(element);
    states.push({ ...time, ...drawn });
    for (const piece of drawn.pieces) {
      if (piece.kind === 'fill' || files.has(piece.path)) continue;
      files.add(piece.path);
      bytes += piece.width * piece.height * 4;
    }
    if (bytes > MAX_BYTES) {
      const message = `${path}: its keyframes need more than ${MAX_BYTES / 1024 ** 3} GiB of drawings. Let them change for a shorter time, or use keyframes of scale.`;
      throw new AppError('RENDER_FAILED', { path, message });
    }
  }
  // Of messages that differ in their numbers only, the last.
  const warnings = new Map(states.flatMap((state) => state.warnings).map((warning) => [warning.replaceAll(/\d+/g, ''), warning]));
  return { pieces: joinStates(states), warnings: [...warnings.values()] };
}
