import type { SubtitleLook } from '../../script/index.js';
import { lingerSeconds, type Page } from './pages.js';

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** As for the positions of other elements: this part of each side is kept free. */
const margin = 0.05;
/** Pages of different cues that overlap for less, in seconds, follow each other rather than share the screen. */
const maxOverlapSeconds = 0.25;

/** How wide a line may be. */
export function maxLineWidth(canvas: Size, padding: number): number {
  return Math.max(2, canvas.width * (1 - 2 * margin) - 2 * padding);
}

export function alignmentOf({ position }: Pick<SubtitleLook, 'position'>): 'left' | 'center' | 'right' {
  if (position.endsWith('left')) return 'left';
  return position.endsWith('right') ? 'right' : 'center';
}

/** Ends each page where the next one begins if they overlap by a slip of the clock only, or by the moment that a page stays past its last word. */
export function trimOverlaps(pages: readonly Page[]): Page[] {
  const inOrder = [...pages].sort((a, b) => a.start - b.start);
  return inOrder.map((page, i) => {
    const spokenUntil = Math.min(page.end, page.words.at(-1)?.end ?? page.end);
    const next = inOrder
      .slice(i + 1, i + 9)
      .find(
        ({ start }) =>
          start > page.start && start < page.end && spokenUntil - start < maxOverlapSeconds && page.end - start < maxOverlapSeconds + lingerSeconds,
      );
    return next ? { ...page, end: next.start } : page;
  });
}

/** Where every page's block goes; those on the screen at the same time are stacked. Pages in order of their start. */
export function placePages(pages: ReadonlyArray<Pick<Page, 'start' | 'end'> & Size>, look: SubtitleLook, canvas: Size, padding: Point): Point[] {
  const grows = look.position.startsWith('top') || look.position.startsWith('mid-top') ? 1 : -1;
  const taken: Array<{ end: number; top: number; bottom: number }> = [];
  return pages.map((page) => {
    for (let i = taken.length - 1; i >= 0; i--) if ((taken[i]?.end ?? 0) <= page.start + 1e-6) taken.splice(i, 1);
    const at = placeBlock(page, look, canvas, padding);
    // Each one that is in the way moves it on; there is an end to them.
    for (const { top, bottom } of [...taken].sort((a, b) => grows * (a.top - b.top))) {
      if (at.y - padding.y < bottom && at.y + page.height + padding.y > top) at.y = grows > 0 ? bottom + padding.y : top - page.height - padding.y;
    }
    taken.push({ end: page.end, top: at.y - padding.y, bottom: at.y + page.height + padding.y });
    return { x: even(at.x), y: even(at.y) };
  });
}

const even = (value: number): number => Math.round(value / 2) * 2;

function placeBlock({ width, height }: Size, look: SubtitleLook, canvas: Size, padding: Point): Point {
  const sides = { x: canvas.width * margin + padding.x, y: canvas.height * margin + padding.y };
  const last = { x: canvas.width - sides.x - width, y: canvas.height - sides.y - height };
  if (look.position === 'custom') {
    return {
      x: within(look.x - width / 2, padding.x, canvas.width - padding.x - width),
      y: within(look.y + look.offsetY - height / 2, padding.y, canvas.height - padding.y - height),
    };
  }
  const x = { left: sides.x, center: (canvas.width - width) / 2, right: last.x }[alignmentOf(look)];
  const middle = (part: number): number => canvas.height * part - height / 2;
  const y = look.position.startsWith('mid-top')
    ? middle(0.25)
    : look.position.startsWith('mid-bottom')
      ? middle(0.75)
      : look.position.startsWith('top')
        ? sides.y
        : look.position.startsWith('bottom')
          ? last.y
          : middle(0.5);
  return { x, y: within(y + look.offsetY, padding.y, canvas.height - padding.y - height) };
}

/** What is larger than its room starts at its beginning. */
function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
