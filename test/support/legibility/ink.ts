import { readFile } from 'node:fs/promises';
import { widestCounterText } from '../../../src/graphics/boxes/counter.js';
import { type Box, layoutBoxes } from '../../../src/graphics/boxes/layout.js';
import { TextBlock } from '../../../src/graphics/boxes/text-block.js';
import type { SceneNode } from '../../../src/graphics/components/index.js';
import { paintText } from '../../../src/graphics/text/paint.js';
import type { RenderContext } from '../../../src/render/render-context.js';
import type { ComponentElement, Movie, TextElement } from '../../../src/script/index.js';
import { areaBox, textBox } from '../../../src/timeline/index.js';

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The letters of a text at rest, in pixels of the canvas. */
export interface Ink {
  text: string;
  fontSize: number;
  /** Tight rectangle of the letters. */
  bounds: Rect;
  /** What clips the text; absent: nothing. */
  window?: Rect;
  /** Whether the text runs across the frame by design. */
  isTicker?: boolean;
  /** Coverage of each pixel of `bounds`, 0..255. */
  coverage: Uint8Array;
}

interface Stamp {
  x: number;
  y: number;
  width: number;
  height: number;
  pixels: Uint8Array;
}

function unite(stamps: readonly Stamp[]): Pick<Ink, 'bounds' | 'coverage'> | undefined {
  let [left, top, right, bottom] = [1e9, 1e9, -1e9, -1e9];
  const visit = (use: (x: number, y: number, alpha: number) => void): void => {
    for (const { x, y, width, height, pixels } of stamps)
      for (let at = 0; at < width * height; at++) {
        const alpha = pixels[at * 4 + 3] ?? 0;
        if (alpha > 24) use(Math.round(x) + (at % width), Math.round(y) + Math.floor(at / width), alpha);
      }
  };
  visit((x, y) => {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  });
  if (right < left) return undefined;
  const [width, height] = [right - left + 1, bottom - top + 1];
  const coverage = new Uint8Array(width * height);
  visit((x, y, alpha) => {
    const at = (y - top) * width + x - left;
    coverage[at] = Math.max(coverage[at] ?? 0, alpha);
  });
  return { bounds: { x: left, y: top, width, height }, coverage };
}

/** The letters of a text element, without its shadow and background. */
export async function inkOfText(element: TextElement, movie: Movie, { sprites }: RenderContext): Promise<Ink[]> {
  const { stroke: _, ...typography } = element.typography;
  const bare = { ...element, typography: { ...typography, shadows: [], backgroundColor: { r: 0, g: 0, b: 0, a: 0 } } };
  const box = textBox(bare, movie);
  const { pieces, fontSize } = await sprites.drawText(bare, box);
  const stamps: Stamp[] = [];
  for (const { path, x, y, role } of pieces) {
    if (role === 'background') continue;
    const file = await readFile(path);
    stamps.push({ x: box.x + x, y: box.y + y, width: file.readUInt32LE(8), height: file.readUInt32LE(12), pixels: file.subarray(16) });
  }
  const ink = unite(stamps);
  return ink === undefined ? [] : [{ text: element.text, fontSize, ...ink }];
}

function textsOf(box: Box, window: Box | undefined = undefined): Array<{ box: Box; window: Box | undefined }> {
  const inner = box.node.style.clips ? box : window;
  // The letters of a counter change; its place is checked by the texts beside it.
  const isStill = box.text !== undefined && box.node.kind !== 'counter';
  return [...(isStill ? [{ box, window }] : []), ...box.children.flatMap((child) => textsOf(child, inner))];
}

/** The letters of every text of a component, at the place where they rest. */
export async function inkOfComponent(element: ComponentElement, movie: Movie, { packs, sprites }: RenderContext): Promise<Ink[]> {
  const area = areaBox(element, movie);
  const size = { width: Math.max(2, Math.round(area.width)), height: Math.max(2, Math.round(area.height)) };
  const described = packs.describe(element.component, element.settings, element.path, size, element.theme);
  if (described.kind !== 'native' || described.root === undefined) return [];
  const makeText = (node: SceneNode): TextBlock | undefined => {
    if ((node.kind !== 'text' && node.kind !== 'ticker' && node.kind !== 'counter') || node.text === undefined) return undefined;
    const counted = { paragraphs: node.kind === 'counter' ? widestCounterText(node).map((text) => ({ text, faces: new Uint8Array(text.length) })) : [] };
    return new TextBlock(node.kind === 'counter' ? counted : node.text, node, sprites.fonts, size, '');
  };
  const root = await layoutBoxes(described.root, size, makeText);
  return textsOf(root).flatMap(({ box, window }) => {
    const { fragments, brush, block } = box.text ?? { fragments: [] };
    if (brush === undefined || block === undefined) return [];
    const { stroke: _, ...typography } = brush.typography;
    const painted = paintText({ fragments, block }, { ...brush, typography: { ...typography, shadows: [] } });
    const ink = painted && unite([{ x: area.x + painted.at.x, y: area.y + painted.at.y, ...painted.bitmap }]);
    if (ink === undefined) return [];
    const clip = window && { x: area.x + window.x, y: area.y + window.y, width: window.width, height: window.height };
    const text = fragments.map((fragment) => fragment.text).join(' ');
    return [{ text, fontSize: typography.fontSize, ...ink, ...(clip && { window: clip }), ...(box.node.kind === 'ticker' && { isTicker: true }) }];
  });
}
