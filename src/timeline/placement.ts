import type { Movie, Position, TextElement, Visual } from '../script/index.js';
import type { Rect } from './timeline.js';

/** Position presets keep this part of each canvas side as a margin to the edges. */
const PRESET_MARGIN = 0.05;

export interface Size {
  width: number;
  height: number;
}

export interface AxisPlacement {
  at: 'low' | 'center' | 'high';
  margin: number;
}

export interface ContentPlacement {
  horizontal?: AxisPlacement;
  vertical?: AxisPlacement;
}

type Canvas = Pick<Movie, 'width' | 'height'>;

/** The box of a picture on the canvas, before motion; `natural` is its size in its own square pixels, after crop. */
export function mediaBox(element: Visual, natural: Size, canvas: Canvas): Rect {
  const size = mediaSize(element, natural, canvas);
  if (element.resize !== 'none' && element.position === 'custom') {
    return { x: (canvas.width - size.width) / 2 + element.x, y: (canvas.height - size.height) / 2 + element.y, ...size };
  }
  return positionBox(element.position, element.x, element.y, size, canvas);
}

/** Of a blur's standard deviation: how far from an edge one sees that there is nothing beyond it. */
const BLUR_REACH = 2.5;

/**
 * A blurred picture that fills the canvas is a background, and its edges, which fade, would be seen as a dark frame: it is drawn so much
 * larger that they lie outside.
 */
export function extendPastEdges(box: Rect, element: Visual, canvas: Canvas): Rect {
  const { blur, cornerRadius, mask, keyframes, rotate } = element;
  const sides = [-box.x, -box.y, box.x + box.width - canvas.width, box.y + box.height - canvas.height];
  const fills = sides.every((beyond) => beyond > -0.5);
  if (blur === 0 || !fills || cornerRadius > 0 || mask !== undefined || keyframes.length > 0 || rotate !== undefined) return box;
  const halves = [box.width / 2, box.height / 2, box.width / 2, box.height / 2];
  const factor = Math.max(1, ...halves.map((half, side) => (half - (sides[side] ?? 0) + BLUR_REACH * blur) / half));
  const [width, height] = [box.width * factor, box.height * factor];
  return { x: box.x - (width - box.width) / 2, y: box.y - (height - box.height) / 2, width, height };
}

/** The box in which a text block is laid out: as large as the canvas (within the margins, for a preset) unless the element says otherwise. */
export function textBox(element: TextElement, canvas: Canvas): Rect {
  const margin = element.position === 'custom' ? 0 : 2 * PRESET_MARGIN;
  const size = {
    width: element.width > 0 ? element.width : canvas.width * (1 - margin),
    height: element.height > 0 ? element.height : canvas.height * (1 - margin),
  };
  const box = keepTextVisible(positionBox(element.position, element.x, element.y, size, canvas), element, canvas);
  // Whole, even pixels: text sprites keep their own pixels and their chroma then falls on the canvas's grid.
  const x = Math.round(box.x / 2) * 2;
  const y = Math.round(box.y / 2) * 2;
  return { x, y, width: Math.max(2, Math.round(box.width)), height: Math.max(2, Math.round(box.height)) };
}

/** Part of the canvas that a text needs about the middle of its box to be seen, where nothing tells its width. */
const TEXT_REACH = 0.1;
/** Of the font size: what a line reaches above and below its middle. */
const HALF_LINE = 0.6;

/**
 * A box as large as the canvas that is moved so far that its middle, and the text there, would not be seen keeps the part of it that
 * lies on the canvas. Motion may bring the rest in, and what lies wholly outside is there on purpose.
 */
function keepTextVisible(box: Rect, element: TextElement, canvas: Canvas): Rect {
  if (element.position !== 'custom' || element.keyframes.length > 0) return box;
  const { fontSize } = element.typography;
  const [x, width] = element.width > 0 ? [box.x, box.width] : visiblePart(box.x, canvas.width, canvas.width * TEXT_REACH);
  const [y, height] = element.height > 0 ? [box.y, box.height] : visiblePart(box.y, canvas.height, fontSize * HALF_LINE);
  return { x, y, width, height };
}

function visiblePart(start: number, length: number, reach: number): [start: number, length: number] {
  if (Math.abs(start) <= length / 2 - reach || Math.abs(start) >= length) return [start, length];
  return start > 0 ? [start, length - start] : [0, length + start];
}

/** The box of what is drawn to measure (a page, a component, a wave): the canvas, unless the element says otherwise. */
export function areaBox(element: Visual, canvas: Canvas): Rect {
  const fills = element.resize !== 'none';
  const size = { width: !fills && element.width > 0 ? element.width : canvas.width, height: !fills && element.height > 0 ? element.height : canvas.height };
  if (fills) return { x: element.x, y: element.y, ...size };
  const { x, y } = positionBox(element.position, element.x, element.y, size, canvas);
  // A side that the canvas fills has no margin to keep.
  return { x: size.width === canvas.width ? element.x : x, y: size.height === canvas.height ? element.y : y, ...size };
}

/** Where within a page of the area's size its content stands, along the sides that the page has from the canvas: `position` is about that there. */
export function contentPlacement(element: Visual, canvas: Canvas): ContentPlacement | undefined {
  if (element.position === 'custom' || element.resize !== 'none') return undefined;
  const [vertical, horizontal] = element.position.split('-');
  const placed = (place: string | undefined, low: string, high: string, length: number): AxisPlacement => ({
    at: place === low ? 'low' : place === high ? 'high' : 'center',
    margin: length * PRESET_MARGIN,
  });
  return {
    ...(element.width > 0 ? {} : { horizontal: placed(horizontal, 'left', 'right', canvas.width) }),
    ...(element.height > 0 ? {} : { vertical: placed(vertical, 'top', 'bottom', canvas.height) }),
  };
}

function mediaSize(element: Visual, natural: Size, canvas: Canvas): Size {
  if (element.resize !== 'none') {
    const factors = [canvas.width / natural.width, canvas.height / natural.height];
    const factor = element.resize === 'cover' ? Math.max(...factors) : Math.min(...factors);
    return { width: natural.width * factor, height: natural.height * factor };
  }
  const { width, height } = element;
  if (width > 0 && height > 0) return { width, height };
  if (width > 0) return { width, height: (width * natural.height) / natural.width };
  if (height > 0) return { width: (height * natural.width) / natural.height, height };
  return { width: natural.width, height: natural.height };
}

function positionBox(position: Position, x: number, y: number, size: Size, canvas: Canvas): Rect {
  if (position === 'custom') return { x, y, ...size };
  const [vertical, horizontal] = position.split('-');
  return {
    x: x + along(horizontal, 'left', 'right', size.width, canvas.width),
    y: y + along(vertical, 'top', 'bottom', size.height, canvas.height),
    ...size,
  };
}

function along(place: string | undefined, low: string, high: string, length: number, canvasLength: number): number {
  const margin = canvasLength * PRESET_MARGIN;
  if (place === low) return margin;
  if (place === high) return canvasLength - margin - length;
  return (canvasLength - length) / 2;
}
