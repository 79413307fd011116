import type { Canvas } from '@napi-rs/canvas';
import { hasGradient } from './gradient-canvases.js';
import type { Bitmap } from './sprite-file.js';

/** A rectangle in pixels, from the top left. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest rectangle on even coordinates that contains `rect`, so that its edges fall on the 4:2:0 chroma grid. */
export function expandToEven(rect: Rect): Rect {
  const x = Math.floor(rect.x / 2) * 2;
  const y = Math.floor(rect.y / 2) * 2;
  return { x, y, width: Math.ceil((rect.x + rect.width - x) / 2) * 2, height: Math.ceil((rect.y + rect.height - y) / 2) * 2 };
}

/** Bounding rectangle; undefined for an empty list. */
export function unite(rects: readonly Rect[]): Rect | undefined {
  if (rects.length === 0) return undefined;
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Bounds of the pixels that are not fully transparent. */
function findOpaqueBounds(pixels: Uint32Array, width: number, height: number): Rect | undefined {
  let top = 0;
  const rowHasInk = (y: number) => {
    for (let i = y * width; i < (y + 1) * width; i++) if (pixels[i] !== 0) return true;
    return false;
  };
  while (top < height && !rowHasInk(top)) top++;
  if (top === height) return undefined;
  let bottom = height - 1;
  while (!rowHasInk(bottom)) bottom--;
  let left = width;
  let right = -1;
  for (let y = top; y <= bottom; y++) {
    const row = y * width;
    for (let x = 0; x < left; x++) if (pixels[row + x] !== 0) left = x;
    for (let x = width - 1; x > right; x--) if (pixels[row + x] !== 0) right = x;
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Crops a canvas to its ink on even coordinates. The canvas must have an even size and cannot be used afterwards. */
export function cropToInk(canvas: Canvas): { at: Rect; bitmap: Bitmap } | undefined {
  const cropped = copyInk(canvas);
  // Frees the memory at once: the garbage collector does not see how large canvases are.
  canvas.width = 1;
  canvas.height = 1;
  return cropped;
}

function copyInk(canvas: Canvas): { at: Rect; bitmap: Bitmap } | undefined {
  // data() is premultiplied, as the engine expects; getImageData() would divide by alpha and lose precision.
  const bytes = canvas.data();
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(bytes);
  const ink = findOpaqueBounds(new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4), canvas.width, canvas.height);
  if (!ink) return undefined;
  const at = expandToEven(ink);
  const pixels = new Uint8Array(at.width * at.height * 4);
  for (let y = 0; y < at.height; y++) {
    const from = ((at.y + y) * canvas.width + at.x) * 4;
    pixels.set(bytes.subarray(from, from + at.width * 4), y * at.width * 4);
  }
  return { at, bitmap: { width: at.width, height: at.height, pixels, ...(hasGradient(canvas) && { hasGradient: true }) } };
}
