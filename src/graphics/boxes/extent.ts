import type { Rect } from '../canvas/bitmap.js';
import { unite } from '../canvas/bitmap.js';
import type { Box } from './layout.js';
import type { IsSeparate } from './paint-tree.js';

/** Bounds of the ink of a box and of everything drawn with it; may be larger than the actual ink. */
export function extentOf(box: Box, isSeparate: IsSeparate, alone = false): Rect {
  const { style } = box.node;
  const rects: Rect[] = [box];
  const { shadows, stroke, fontSize } = style.typography;
  for (const { x, y, blur, spread, inset } of style.shadows) if (!inset) rects.push(inflate(box, blur * 1.5 + spread + 2, x, y));
  const around = fontSize + (stroke?.width ?? 0);
  if (box.text !== undefined) {
    rects.push(inflate(box.text.block, around));
    for (const { x, y, blur } of shadows) rects.push(inflate(box.text.block, around + blur * 1.5, x, y));
  }
  if (box.node.kind === 'path' || box.node.kind === 'polygon' || box.node.kind === 'plot') {
    const reach = Number.parseFloat(String(box.node.values['stroke-width'] ?? 0)) * 4 || 0;
    rects.push(inflate(box, reach + Math.max(box.width, box.height) * 0.1));
    for (const { x, y, blur } of shadows) rects.push(inflate(box, blur * 1.5 + 4, x, y));
  }
  if (!alone) for (const child of box.children) if (!isSeparate(child)) rects.push(extentOf(child, isSeparate));
  const all = unite(rects) as Rect;
  return style.rotation === 0 ? all : rotatedExtent(all, box);
}

function inflate({ x, y, width, height }: Rect, by: number, dx = 0, dy = 0): Rect {
  return { x: x - by + dx, y: y - by + dy, width: width + 2 * by, height: height + 2 * by };
}

/** Bounds of a rectangle rotated around the centre of `box` by any angle. */
function rotatedExtent(rect: Rect, box: Rect): Rect {
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  const corners = [rect.x, rect.x + rect.width].flatMap((x) => [rect.y, rect.y + rect.height].map((y) => Math.hypot(x - cx, y - cy)));
  const radius = Math.max(...corners) + 1;
  return { x: cx - radius, y: cy - radius, width: radius * 2, height: radius * 2 };
}
