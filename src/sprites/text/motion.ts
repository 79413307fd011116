import type { TextElement } from '../../movie/index.js';
import type { TextPiece } from './text-sprites.js';

export interface MotionKeyframe {
  /** From the element's start; may be fractional. */
  frame: number;
  value: number;
  easing?: string;
}

export interface PieceMotion {
  opacity?: MotionKeyframe[];
}

const blockFadeSeconds = 2;
const wordFadeSeconds = 0.5;
const wordStepSeconds = 0.4;

/** How each piece of a text moves, in the pieces' order. A background stands still from the start. */
export function textStyleMotion(
  style: TextElement['style'],
  pieces: ReadonlyArray<Pick<TextPiece, 'role' | 'index'>>,
  fps: { num: number; den: number },
): PieceMotion[] {
  const frames = (seconds: number) => (seconds * fps.num) / fps.den;
  const fade = (start: number, length: number): PieceMotion => ({
    opacity: [
      { frame: frames(start), value: 0 },
      { frame: frames(start + length), value: 1 },
    ],
  });
  return pieces.map(({ role, index }) => {
    if (style === '001' || role === 'background') return {};
    return style === '002' ? fade(0, blockFadeSeconds) : fade(index * wordStepSeconds, wordFadeSeconds);
  });
}
