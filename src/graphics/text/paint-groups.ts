import type { Color, SpanLook, Typography } from '../../script/index.js';
import type { Brush } from './brush.js';
import type { DecorationRect } from './decoration.js';
import { decorationRects } from './decoration.js';
import type { Fragment } from './lines/layout.js';
import { lookOf, sizeOf, strokeOf } from './spans.js';

/** Fragments and decoration lines that are painted in one colour each. */
export interface PaintGroup {
  /** Without blanks. */
  fragments: readonly Fragment[];
  lines: readonly DecorationRect[];
  color: Color;
  /** Absent: the lines have the colour of the letters. */
  lineColor?: Color;
  /** Outline of the letters and of the lines in their colour. */
  stroke?: Typography['stroke'];
  /** Background painted through the letters. */
  fill?: Typography['fill'];
}

/** Groups the fragments of a text by colour: those in the text's colour first. */
export function paintGroups(fragments: readonly Fragment[], brush: Brush): PaintGroup[] {
  const { typography } = brush;
  const { color, decorationLook, fill, stroke } = typography;
  const lettered = fragments.filter(({ blank }) => !blank);
  const lines = decorationRects(fragments, brush);
  const base = {
    lines,
    color,
    ...(stroke === undefined ? {} : { stroke }),
    ...(decorationLook?.color === undefined ? {} : { lineColor: decorationLook.color }),
    ...(fill === undefined ? {} : { fill }),
  };
  if (brush.looks === undefined) return [{ ...base, fragments: lettered }];
  const byLook = new Map<SpanLook, Fragment[]>();
  for (const fragment of fragments) {
    const look = lookOf(brush, fragment.face);
    if (look !== undefined) byLook.set(look, [...(byLook.get(look) ?? []), fragment]);
  }
  const isBase = (fragment: Fragment) => !hasOwnPaint(lookOf(brush, fragment.face));
  const groups = [...byLook].map(([look, own]) => ({ look, group: groupOf(look, own, brush) }));
  const joins = ({ look, group }: (typeof groups)[number]) => !hasOwnPaint(look) && group.lineColor === undefined && base.lineColor === undefined;
  return [
    { ...base, fragments: lettered.filter(isBase), lines: [...lines, ...groups.filter(joins).flatMap(({ group }) => group.lines)] },
    ...groups.filter((one) => !joins(one)).map(({ group }) => group),
  ];
}

/** Whether letters are not painted like those of the text. */
function hasOwnPaint(look: SpanLook | undefined): boolean {
  return look?.color !== undefined || look?.stroke !== undefined;
}

function groupOf(look: SpanLook, fragments: readonly Fragment[], brush: Brush): PaintGroup {
  const { color = brush.typography.color, decorationLook } = look;
  const stroke = strokeOf(brush.typography, look);
  const { fill } = brush.typography;
  return {
    fragments: !hasOwnPaint(look) ? [] : fragments.filter(({ blank }) => !blank),
    lines: fragments.flatMap((fragment) => decorationRects([fragment], lineBrush(look, fragment, brush))),
    color,
    ...(stroke === undefined ? {} : { stroke }),
    ...(look.color !== undefined || fill === undefined ? {} : { fill }),
    ...(decorationLook?.color === undefined ? {} : { lineColor: decorationLook.color }),
  };
}

function lineBrush({ scale = 1, textDecoration, decorationLook }: SpanLook, { face = 0 }: Fragment, brush: Brush): Parameters<typeof decorationRects>[1] {
  const { decorationLook: _, ...typography } = brush.typography;
  return {
    font: brush.faces?.[face] ?? brush.font,
    ascent: brush.ascent * scale,
    typography: {
      ...typography,
      fontSize: sizeOf(brush, face),
      textDecoration: textDecoration ?? { underline: false, lineThrough: false, overline: false },
      ...(decorationLook === undefined ? {} : { decorationLook }),
    },
  };
}

/** Groups with the same outline: together, so that the outlines of neighbours do not cover letters. */
export function strokedAlike(groups: readonly PaintGroup[]): PaintGroup[][] {
  const alike = new Map<string, PaintGroup[]>();
  for (const group of groups) alike.set(JSON.stringify(group.stroke), [...(alike.get(JSON.stringify(group.stroke)) ?? []), group]);
  return [...alike.values()];
}
