import type { Edge, Node } from 'yoga-layout';
import { type Length, resolveLength } from '../../script/index.js';
import type { Rect } from '../canvas/bitmap.js';
import type { Place, SceneNode, Style } from '../components/index.js';
import type { PlacedLines, TextBlock } from './text-block.js';

/** A laid-out node: its border box in whole pixels from the top left corner of the element's box. */
export interface Box extends Rect {
  node: SceneNode;
  /** Content box, inside border and padding. */
  content: Rect;
  text?: PlacedLines;
  children: Box[];
  /** Padding box of the parent, to which percentages of an absolute box refer. */
  container: Rect;
}

type MakeTextBlock = (node: SceneNode) => TextBlock | undefined;

type Yoga = typeof import('yoga-layout');

/** Lays out a tree in a box by flexbox rules. `makeText` returns the text of a node, if it has one. */
export async function layoutBoxes(root: SceneNode, size: { width: number; height: number }, makeText: MakeTextBlock): Promise<Box> {
  // yoga-layout uses top-level await, so it can only be imported dynamically.
  return new Flexbox(await import('yoga-layout'), makeText).layout(root, size);
}

const sides = [
  ['top', 'Top'],
  ['right', 'Right'],
  ['bottom', 'Bottom'],
  ['left', 'Left'],
] as const;

type Size = number | 'auto' | `${number}%`;

const sizeOf = (length: Length | 'auto'): Size => (length === 'auto' ? 'auto' : 'px' in length ? length.px : `${length.percent}%`);
const boundOf = (length: Length | 'auto') => (length === 'auto' ? undefined : (sizeOf(length) as number | `${number}%`));

const directions = {
  row: 'Row',
  column: 'Column',
  'row-reverse': 'RowReverse',
  'column-reverse': 'ColumnReverse',
} as const;
const justify = {
  start: 'FlexStart',
  center: 'Center',
  end: 'FlexEnd',
  stretch: 'FlexStart',
  between: 'SpaceBetween',
  around: 'SpaceAround',
  evenly: 'SpaceEvenly',
} as const satisfies Record<Place, keyof Yoga['Justify']>;
const align = {
  start: 'FlexStart',
  center: 'Center',
  end: 'FlexEnd',
  stretch: 'Stretch',
  between: 'SpaceBetween',
  around: 'SpaceAround',
  evenly: 'SpaceEvenly',
} as const satisfies Record<Place, keyof Yoga['Align']>;
const edges: Record<string, Place> = { top: 'start', left: 'start', center: 'center', bottom: 'end', right: 'end' };

/** Maps `vertical-align` and `horizontal-align` of a box to its main and cross axis. */
function placement(style: Style): { main: Place; cross: Place } {
  const isRow = style.direction.startsWith('row');
  const vertical = style.vertical === undefined ? undefined : edges[style.vertical];
  const horizontal = style.horizontal === undefined ? undefined : edges[style.horizontal];
  return {
    main: style.justify ?? (isRow ? horizontal : vertical) ?? 'start',
    cross: style.align ?? (isRow ? vertical : horizontal) ?? 'stretch',
  };
}

class Flexbox {
  readonly #yoga: Yoga;
  readonly #makeText: MakeTextBlock;
  readonly #blocks = new Map<SceneNode, TextBlock>();
  /** Texts that share a font size, by the name of their `fit`. */
  readonly #sharing = new Map<string, Array<{ node: Node; block: TextBlock }>>();
  /** Absolute boxes sized to their content, with their parents. */
  readonly #shrinkToFit: Array<{ node: Node; style: Style; parent: Node }> = [];

  constructor(yoga: Yoga, makeText: MakeTextBlock) {
    this.#yoga = yoga;
    this.#makeText = makeText;
  }

  layout(root: SceneNode, size: { width: number; height: number }): Box {
    const { default: yoga, Direction, FlexDirection } = this.#yoga;
    const canvas = yoga.Node.create();
    try {
      canvas.setWidth(size.width);
      canvas.setHeight(size.height);
      canvas.setFlexDirection(FlexDirection.Column);
      const top = this.#build(root, undefined);
      canvas.insertChild(top, 0);
      canvas.calculateLayout(size.width, size.height, Direction.LTR);
      if (this.#limitShrinkToFit()) canvas.calculateLayout(size.width, size.height, Direction.LTR);
      if (this.#shareSizes()) canvas.calculateLayout(size.width, size.height, Direction.LTR);
      return this.#read(root, top, { x: 0, y: 0 }, { x: 0, y: 0, ...size });
    } finally {
      canvas.freeRecursive();
    }
  }

  #build(scene: SceneNode, parent: SceneNode | undefined): Node {
    const { Display, Gutter, MeasureMode, PositionType, Wrap, ...yoga } = this.#yoga;
    const { style } = scene;
    const node = yoga.default.Node.create();
    node.setDisplay(Display.Flex);
    node.setPositionType(style.absolute ? PositionType.Absolute : PositionType.Relative);
    node.setFlexDirection(yoga.FlexDirection[directions[style.direction]]);
    node.setFlexWrap(style.wraps ? Wrap.Wrap : Wrap.NoWrap);
    node.setFlexGrow(style.grow);
    node.setFlexShrink(style.shrink ?? (parent?.style.direction.startsWith('row') ? 1 : 0));
    for (const [side, name] of sides) {
      const edge = yoga.Edge[name];
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
    node.setJustifyContent(yoga.Justify[justify[main]]);
    node.setAlignItems(yoga.Align[align[cross]]);
    if (style.alignSelf !== undefined) node.setAlignSelf(yoga.Align[align[style.alignSelf]]);
    const block = this.#makeText(scene);
    if (block) {
      this.#blocks.set(scene, block);
      if (block.together !== undefined) this.#sharing.set(block.together, [...(this.#sharing.get(block.together) ?? []), { node, block }]);
      node.setMeasureFunc((width, widthMode, height, heightMode) =>
        block.measure(widthMode === MeasureMode.Undefined ? undefined : width, heightMode === MeasureMode.Undefined ? undefined : height),
      );
    }
    for (const [i, child] of scene.children.entries()) {
      const inner = this.#build(child, scene);
      node.insertChild(inner, i);
      const { absolute, size } = child.style;
      if (absolute && size.width === undefined && size['max-width'] === undefined) this.#shrinkToFit.push({ node: inner, style: child.style, parent: node });
    }
    return node;
  }

  /** CSS limits an absolute box to the space between its insets; yoga uses the whole parent, so the limit is applied here. Returns whether any changed. */
  #limitShrinkToFit(): boolean {
    const { Edge } = this.#yoga;
    let isChanged = false;
    for (const { node, style, parent } of this.#shrinkToFit) {
      const around = parent.getComputedWidth() - parent.getComputedBorder(Edge.Left) - parent.getComputedBorder(Edge.Right);
      const taken = (['left', 'right'] as const).reduce((sum, side) => sum + resolveLength(style.inset[side] ?? { px: 0 }, around), 0);
      const room = around - taken - node.getComputedMargin(Edge.Left) - node.getComputedMargin(Edge.Right);
      // A box that starts outside its parent is probably animated into view and is not limited.
      if (room <= 0 || node.getComputedWidth() <= room) continue;
      node.setMaxWidth(room);
      isChanged = true;
    }
    return isChanged;
  }

  /** Limits texts that share a size to the smallest one. Returns whether there are any. */
  #shareSizes(): boolean {
    const { Edge } = this.#yoga;
    for (const texts of this.#sharing.values()) {
      const sizes = texts.map(({ node, block }) => {
        const around = (edge: Parameters<Node['getComputedBorder']>[0]): number => node.getComputedBorder(edge) + node.getComputedPadding(edge);
        const width = node.getComputedWidth() - around(Edge.Left) - around(Edge.Right);
        return block.sizeIn(width, node.getComputedHeight() - around(Edge.Top) - around(Edge.Bottom));
      });
      for (const { node, block } of texts) {
        block.limitSize(Math.min(...sizes));
        node.markDirty();
      }
    }
    return this.#sharing.size > 0;
  }

  #read(scene: SceneNode, node: Node, origin: { x: number; y: number }, around: Rect): Box {
    const { Edge } = this.#yoga;
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
    const text = this.#blocks.get(scene)?.place(content, scene.style);
    const children = scene.children.map((child, i) => this.#read(child, node.getChild(i), at, padding));
    return { node: scene, ...at, content, container: around, children, ...(text === undefined ? {} : { text }) };
  }
}
