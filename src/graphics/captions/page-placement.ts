import type { SubtitleLook } from '../../script/index.js';
import { lingerSeconds, type Page } from './pages.js';

/** In canvas pixels. */
export interface Size {
  width: number;
  height: number;
}

/** In canvas pixels. */
export interface Point {
  x: number;
  y: number;
}

/** Margin on each side as a fraction of the canvas, as for the position presets of other elements. */
const margin = 0.05;
/** Pages that overlap for less than this are shown one after the other. */
const maxOverlapSeconds = 0.25;

/** Maximum width of a line; `side` is the margin on each side as a fraction of the width. */
export function maxLineWidth(canvas: Size, padding: number, side: number): number {
  return Math.max(2, canvas.width * (1 - 2 * side) - 2 * padding);
}

/** Horizontal alignment of a position preset. */
export function alignmentOf({ position }: Pick<SubtitleLook, 'position'>): 'left' | 'center' | 'right' {
  if (position.endsWith('left')) return 'left';
  return position.endsWith('right') ? 'right' : 'center';
}

/** Ends each page at the start of the next one if they overlap only slightly or only while the page stays past its last word. */
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

/** Positions of the pages' blocks; pages shown at the same time are stacked. Pages must be in order of their start. */
export function placePages(pages: ReadonlyArray<Pick<Page, 'start' | 'end'> & Size>, look: SubtitleLook, canvas: Size, padding: Point): Point[] {
  const grows = look.position.startsWith('top') || look.position.startsWith('mid-top') ? 1 : -1;
  const taken: Array<{ end: number; top: number; bottom: number }> = [];
  return pages.map((page) => {
    for (let i = taken.length - 1; i >= 0; i--) if ((taken[i]?.end ?? 0) <= page.start + 1e-6) taken.splice(i, 1);
    const at = placeBlock(page, look, canvas, padding);
    // Moves the block past each overlapping one, in stacking order.
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

/** Clamps to the range; `low` wins if the range is empty. */
function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
