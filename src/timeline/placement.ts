import type { Rect } from '../contract/index.js';
import type { Movie, Position, TextElement, Visual } from '../script/index.js';

/** Margin of position presets as a fraction of each canvas side. */
const PRESET_MARGIN = 0.05;

export interface Size {
  width: number;
  height: number;
}

/** Placement along one axis; `margin` in canvas pixels. */
interface AxisPlacement {
  at: 'low' | 'center' | 'high';
  margin: number;
}

/** Placement of a page's content; an absent axis is not positioned. */
interface ContentPlacement {
  horizontal?: AxisPlacement;
  vertical?: AxisPlacement;
}

type Canvas = Pick<Movie, 'width' | 'height'>;

/** The box of an image or video on the canvas before motion; `natural` is its size in square pixels after cropping. */
export function mediaBox(element: Visual, natural: Size, canvas: Canvas): Rect {
  const size = mediaSize(element, natural, canvas);
  if (element.resize !== 'none' && element.position === 'custom') {
    return { x: (canvas.width - size.width) / 2 + element.x, y: (canvas.height - size.height) / 2 + element.y, ...size };
  }
  return positionBox(element.position, element.x, element.y, size, canvas);
}

/** How far a blur visibly fades an edge, in standard deviations. */
const BLUR_REACH = 2.5;

/**
 * Enlarges a blurred image that fills the canvas until its fading edges lie outside the canvas, where they would otherwise show
 * as a dark border.
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

/** The box in which a text block is laid out: the canvas (less the margins of a preset) unless the element sets a size. */
export function textBox(element: TextElement, canvas: Canvas): Rect {
  const margin = element.position === 'custom' ? 0 : 2 * PRESET_MARGIN;
  const size = {
    width: element.width > 0 ? element.width : canvas.width * (1 - margin),
    height: element.height > 0 ? element.height : canvas.height * (1 - margin),
  };
  const box = keepTextVisible(positionBox(element.position, element.x, element.y, size, canvas), element, canvas);
  // Even pixel positions: sprites are not resampled, and their chroma aligns with the canvas's 4:2:0 grid.
  const x = Math.round(box.x / 2) * 2;
  const y = Math.round(box.y / 2) * 2;
  return { x, y, width: Math.max(2, Math.round(box.width)), height: Math.max(2, Math.round(box.height)) };
}

/** Half width that a text of unknown width needs around the centre of its box to be visible, as a fraction of the canvas. */
const TEXT_REACH = 0.1;
/** Half the height of a line as a fraction of the font size. */
const HALF_LINE = 0.6;

/**
 * Shrinks a canvas-sized text box to its visible part when its offset would move the centre, where the text is, off the canvas.
 * Boxes with keyframes or completely outside are left alone: they are off-canvas on purpose.
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

/** The box of an element without natural size (page, component, waveform): the canvas unless the element sets a size. */
export function areaBox(element: Visual, canvas: Canvas): Rect {
  const fills = element.resize !== 'none';
  const size = { width: !fills && element.width > 0 ? element.width : canvas.width, height: !fills && element.height > 0 ? element.height : canvas.height };
  if (fills) return { x: element.x, y: element.y, ...size };
  const { x, y } = positionBox(element.position, element.x, element.y, size, canvas);
  // A side as long as the canvas has no margin.
  return { x: size.width === canvas.width ? element.x : x, y: size.height === canvas.height ? element.y : y, ...size };
}

/** Where `position` places the content within a page, along the axes on which the page is as large as the canvas; undefined without a preset. */
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
