import type { SKRSContext2D } from '@napi-rs/canvas';
import type { SpanBackground } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import { cssColor } from '../canvas/gradients.js';
import type { Brush } from './brush.js';
import type { Fragment } from './lines/layout.js';
import { letterSpacingOf, lookOf } from './spans.js';

/** How far a background extends into the space beside its words, in em. */
const bleedEm = 0.1;

/** The background of a span on one line. */
interface Mark {
  background: SpanBackground;
  line: number;
  /** Edges of the words. */
  from: number;
  to: number;
  rect: Rect;
  radius: number;
}

/** Parts of the backgrounds of spans that belong to some of a text's fragments. */
export interface MarkParts {
  mark: Mark;
  /** Rectangles of the parts; all of the mark if they cover it. */
  parts: Rect[];
}

/** The backgrounds behind `fragments`, of a text with the fragments `all`. */
export function findMarks(fragments: readonly Fragment[], all: readonly Fragment[], brush: Brush): MarkParts[] {
  if (brush.looks === undefined) return [];
  return marksOf(all, brush).flatMap((mark) => {
    const parts = fragments.filter((fragment) => isWithin(fragment, mark, brush)).map((fragment) => partOf(mark, fragment));
    return parts.length === 0 ? [] : [{ mark, parts }];
  });
}

/** The parts of a text are painted one by one, but its marks are found once. */
const marksByText = new WeakMap<readonly Fragment[], { brush: Brush; marks: readonly Mark[] }>();

function marksOf(fragments: readonly Fragment[], brush: Brush): readonly Mark[] {
  const known = marksByText.get(fragments);
  if (known?.brush === brush) return known.marks;
  const marks = joinMarks(fragments, brush);
  marksByText.set(fragments, { brush, marks });
  return marks;
}

function joinMarks(fragments: readonly Fragment[], brush: Brush): Mark[] {
  const ordered = [...fragments].sort((a, b) => a.line - b.line || a.x - b.x);
  const marks: Mark[] = [];
  for (let first = 0; first < ordered.length; first++) {
    const background = backgroundOf(ordered[first] as Fragment, brush);
    if (background === undefined) continue;
    let last = first;
    while (continues(ordered[last], ordered[last + 1]) && JSON.stringify(backgroundOf(ordered[last + 1] as Fragment, brush)) === JSON.stringify(background))
      last++;
    const own = ordered.slice(first, last + 1);
    marks.push(markOf(own, background, [ordered[first - 1], ordered[last + 1]], brush));
    first = last;
  }
  return marks;
}

function continues(before: Fragment | undefined, after: Fragment | undefined): boolean {
  return before !== undefined && after !== undefined && before.line === after.line && Math.abs(before.x + before.width - after.x) < 0.5;
}

function markOf(own: readonly Fragment[], background: SpanBackground, [before, after]: ReadonlyArray<Fragment | undefined>, brush: Brush): Mark {
  const [first, last] = [own[0] as Fragment, own.at(-1) as Fragment];
  const { fontSize } = brush.typography;
  const bleed = bleedEm * fontSize * background.scale;
  const [from, to] = [first.x, last.x + last.width];
  // A background ends where letters touch it.
  const left = Math.round(from - (continues(before, first) && before?.blank === false ? 0 : bleed));
  const right = Math.round(to + (continues(last, after) && after?.blank === false ? 0 : bleed) - (last.rightmost ? 0 : letterSpacingOf(brush, last.face)));
  const { top, height } = heightOf(background, brush);
  const y = Math.round(first.baseline + top);
  const rect = { x: left, y, width: right - left, height: Math.round(first.baseline + top + height) - y };
  return { background, line: first.line, from, to, rect, radius: background.radiusEm * fontSize };
}

/** From the ascent to the descent, but not higher than a line, so that backgrounds of neighbouring lines do not overlap. */
function heightOf({ scale }: SpanBackground, { ascent, descent = 0, typography }: Brush): { top: number; height: number } {
  const height = Math.min(ascent + descent, typography.lineHeight * typography.fontSize);
  const cut = (ascent + descent - height) / 2;
  return { top: (cut - ascent) * scale, height: height * scale };
}

function backgroundOf({ face }: Fragment, brush: Brush): SpanBackground | undefined {
  const background = lookOf(brush, face)?.background;
  return background === undefined || background.color.a === 0 ? undefined : background;
}

function isWithin(fragment: Fragment, { line, from, to }: Mark, brush: Brush): boolean {
  const middle = fragment.x + fragment.width / 2;
  return fragment.line === line && middle >= from && middle <= to && backgroundOf(fragment, brush) !== undefined;
}

/** The part of a mark behind one fragment, on whole pixels so that neighbours join. */
function partOf({ rect, from, to }: Mark, { x, width }: Fragment): Rect {
  const left = x - from < 0.5 ? rect.x : Math.round(x);
  const right = to - x - width < 0.5 ? rect.x + rect.width : Math.round(x + width);
  return { x: left, y: rect.y, width: right - left, height: rect.height };
}

/** Paints backgrounds of spans. */
export function paintMarks(context: SKRSContext2D, marks: readonly MarkParts[]): void {
  for (const { mark, parts } of marks) {
    const { x, y, width, height } = mark.rect;
    context.save();
    context.beginPath();
    for (const part of parts) context.rect(part.x, part.y, part.width, part.height);
    context.clip();
    context.fillStyle = cssColor(mark.background.color);
    context.beginPath();
    context.roundRect(x, y, width, height, Math.min(mark.radius, width / 2, height / 2));
    context.fill();
    context.restore();
  }
}
