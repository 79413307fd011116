import type { RedrawnType, Variant } from '../../../timeline/index.js';
import type { Brush } from '../brush.js';
import type { Letter } from '../letters.js';
import type { Pen } from '../paint.js';
import { outlineSteps } from './draw-on.js';
import { scrambledLetters } from './scramble.js';

/** What replaces a letter for a while. */
export interface LetterVariant {
  /** Of the letter. */
  index: number;
  variant: Variant;
  fragments: Letter;
  /** Draws only the outlines. */
  pen?: Pen;
}

/** Everything that replaces the letters of a text in its animations. `penWidth`: absent: by the font size. */
export function letterVariants(letters: readonly Letter[], brush: Brush, uses: Readonly<Record<RedrawnType, boolean>>, penWidth?: number): LetterVariant[] {
  const scrambled = uses.scramble ? scrambledLetters(letters, brush) : [];
  const outlined = uses['draw-on'] ? outlineSteps(letters, brush, penWidth) : [];
  return letters.flatMap((letter, index): LetterVariant[] => [
    ...(scrambled[index] ?? []).map((fragments, step): LetterVariant => ({ index, variant: { of: 'scramble', step }, fragments })),
    ...(outlined[index] ?? []).map((pen, step): LetterVariant => ({ index, variant: { of: 'draw-on', step }, fragments: letter, pen })),
  ]);
}
