import Yoga, { Align, Direction, Display, Edge, FlexDirection, Gutter, Justify, MeasureMode, type Node, PositionType, Wrap } from 'yoga-layout';
import type { Length } from '../../movie/index.js';
import type { Place, SceneNode, Style } from '../../packs/index.js';
import type { Rect } from '../text/bitmap.js';
import type { LaidText, TextBlock } from './text-block.js';

/** A node with its place: its border box, from the corner of the element's box, in whole pixels. */
export interface Box extends Rect {
  node: SceneNode;
  /** Of what is inside its border and padding. */
  content: Rect;
  text?: LaidText;
  children: Box[];
  /** Its parent's padding box: what percentages of an absolute box are of. */
  around: Rect;
}

export type MakeTextBlock = (node: SceneNode) => TextBlock | undefined;

/** Lays a tree out in a box by the rules of flexbox. */
export function layOutBoxes(root: SceneNode, size: { width: number; height: number }, makeText: MakeTextBlock): Box {
  const blocks = new Map<SceneNode, TextBlock>();
  const canvas = Yoga.Node.create();
  try {
    canvas.setWidth(size.width);
    canvas.setHeight(size.height);
    canvas.setFlexDirection(FlexDirection.Column);
    const top = build(root, undefined, makeText, blocks);
    canvas.insertChild(top, 0);
    canvas.calculateLayout(size.width, size.height, Direction.LTR);
    return read(root, top, { x: 0, y: 0 }, { x: 0, y: 0, ...size }, blocks);
  } finally {
    canvas.freeRecursive();
  }
}

const sides = [
  ['top', Edge.Top],
  ['right', Edge.Right],
  ['bottom', Edge.Bottom],
  ['left', Edge.Left],
] as const;

type Size = number | 'auto' | `${number}%`;

const sizeOf = (length: Length | 'auto'): Size => (length === 'auto' ? 'auto' : 'px' in length ? length.px : `${length.percent}%`);
const boundOf = (length: Length | 'auto') => (length === 'auto' ? undefined : (sizeOf(length) as number | `${number}%`));

function build(scene: SceneNode, parent: SceneNode | undefined, makeText: MakeTextBlock, blocks: Map<SceneNode, TextBlock>): Node {
  const { style } = scene;
  const node = Yoga.Node.create();
  node.setDisplay(Display.Flex);
  node.setPositionType(style.absolute ? PositionType.Absolute : PositionType.Relative);
  node.setFlexDirection(directions[style.direction]);
  node.setFlexWrap(style.wraps ? Wrap.Wrap : Wrap.NoWrap);
  node.setFlexGrow(style.grow);
  node.setFlexShrink(style.shrink ?? (parent?.style.direction.startsWith('row') ? 1 : 0));
  for (const [side, edge] of sides) {
    const inset = style.inset[side];
    if (inset !== undefined) node.setPosition(edge, boundOf(inset));
    node.setMargin(edge, sizeOf(style.margin[side]));
    node.setPadding(edge, boundOf(style.padding[side]));
    node.setBorder(edge, style.border.widths[side]);
  }
  const { size } = style;
  if (size.width !== undefined) node.setWidth(sizeOf(size.width));
  if (size.height !== undefined) node.setHeight(sizeOf(size.height));
  if (size['min-width'] !== undefined) node.setMinWidth(boundOf(size['min-width']));
  if (size['min-height'] !== undefined) node.setMinHeight(boundOf(size['min-height']));
  if (size['max-width'] !== undefined) node.setMaxWidth(boundOf(size['max-width']));
  if (size['max-height'] !== undefined) node.setMaxHeight(boundOf(size['max-height']));
  if (style.aspectRatio !== undefined) node.setAspectRatio(style.aspectRatio);
  node.setGap(Gutter.Row, style.rowGap);
  node.setGap(Gutter.Column, style.columnGap);
  const { main, cross } = placement(style);
  node.setJustifyContent(justify[main]);
  node.setAlignItems(align[cross]);
  if (style.alignSelf !== undefined) node.setAlignSelf(align[style.alignSelf]);
  const block = makeText(scene);
  if (block) {
    blocks.set(scene, block);
    node.setMeasureFunc((width, widthMode, height, heightMode) =>
      block.measure(widthMode === MeasureMode.Undefined ? undefined : width, heightMode === MeasureMode.Undefined ? undefined : height),
    );
  }
  for (const [i, child] of scene.children.entries()) node.insertChild(build(child, scene, makeText, blocks), i);
  return node;
}

const directions = {
  row: FlexDirection.Row,
  column: FlexDirection.Column,
  'row-reverse': FlexDirection.RowReverse,
  'column-reverse': FlexDirection.ColumnReverse,
};
const justify: Record<Place, Justify> = {
  start: Justify.FlexStart,
  center: Justify.Center,
  end: Justify.FlexEnd,
  stretch: Justify.FlexStart,
  between: Justify.SpaceBetween,
  around: Justify.SpaceAround,
  evenly: Justify.SpaceEvenly,
};
const align: Record<Place, Align> = {
  start: Align.FlexStart,
  center: Align.Center,
  end: Align.FlexEnd,
  stretch: Align.Stretch,
  between: Align.SpaceBetween,
  around: Align.SpaceAround,
  evenly: Align.SpaceEvenly,
};
const edges: Record<string, Place> = { top: 'start', left: 'start', center: 'center', bottom: 'end', right: 'end' };

/** `vertical-align` and `horizontal-align` of a box place what is in it, whichever way it runs. */
function placement(style: Style): { main: Place; cross: Place } {
  const isRow = style.direction.startsWith('row');
  const vertical = style.vertical === undefined ? undefined : edges[style.vertical];
  const horizontal = style.horizontal === undefined ? undefined : edges[style.horizontal];
  return {
    main: style.justify ?? (isRow ? horizontal : vertical) ?? 'start',
    cross: style.align ?? (isRow ? vertical : horizontal) ?? 'stretch',
  };
}

function read(scene: SceneNode, node: Node, origin: { x: number; y: number }, around: Rect, blocks: Map<SceneNode, TextBlock>): Box {
  const { left, top, width, height } = node.getComputedLayout();
  const at = { x: origin.x + left, y: origin.y + top, width, height };
  const inner = (edge: Edge) => node.getComputedBorder(edge) + node.getComputedPadding(edge);
  const content = {
    x: at.x + inner(Edge.Left),
    y: at.y + inner(Edge.Top),
    width: Math.max(0, width - inner(Edge.Left) - inner(Edge.Right)),
    height: Math.max(0, height - inner(Edge.Top) - inner(Edge.Bottom)),
  };
  const padding = {
    x: at.x + node.getComputedBorder(Edge.Left),
    y: at.y + node.getComputedBorder(Edge.Top),
    width: width - node.getComputedBorder(Edge.Left) - node.getComputedBorder(Edge.Right),
    height: height - node.getComputedBorder(Edge.Top) - node.getComputedBorder(Edge.Bottom),
  };
  const text = blocks.get(scene)?.place(content, scene.style);
  const children = scene.children.map((child, i) => read(child, node.getChild(i), at, padding, blocks));
  return { node: scene, ...at, content, around, children, ...(text === undefined ? {} : { text }) };
}
