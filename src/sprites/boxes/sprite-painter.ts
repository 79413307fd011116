import { join } from 'node:path';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { createCanvas } from '../skia.js';
import { type Bitmap, storeSprite } from '../sprite-file.js';
import type { Rect } from '../text/bitmap.js';
import { cutToInk, evenOut } from '../text/bitmap.js';

export interface Sprite extends Rect {
  path: string;
}

/** Draws into sprite files of a folder; nothing is kept of what lies far outside of the element. */
export class SpritePainter {
  readonly #folder: string;
  readonly #limits: Rect;

  constructor(folder: string, size: { width: number; height: number }) {
    this.#folder = folder;
    this.#limits = { x: -size.width, y: -size.height, width: size.width * 3, height: size.height * 3 };
  }

  /** Undefined when nothing is seen. */
  async draw(extent: Rect, paint: (context: SKRSContext2D) => void): Promise<Sprite | undefined> {
    const bounds = this.#within(extent);
    if (bounds === undefined) return undefined;
    const canvas = createCanvas(bounds.width, bounds.height);
    const context = canvas.getContext('2d');
    context.translate(-bounds.x, -bounds.y);
    paint(context);
    const cut = cutToInk(canvas);
    return cut && this.store({ ...cut.at, x: cut.at.x + bounds.x, y: cut.at.y + bounds.y }, cut.bitmap);
  }

  async store(at: Rect, bitmap: Bitmap): Promise<Sprite> {
    return { ...at, path: join(this.#folder, await storeSprite(this.#folder, bitmap)) };
  }

  #within({ x, y, width, height }: Rect): Rect | undefined {
    const left = Math.max(x, this.#limits.x);
    const top = Math.max(y, this.#limits.y);
    const right = Math.min(x + width, this.#limits.x + this.#limits.width);
    const bottom = Math.min(y + height, this.#limits.y + this.#limits.height);
    if (!(right - left > 0.01 && bottom - top > 0.01)) return undefined;
    return evenOut({ x: left, y: top, width: right - left, height: bottom - top });
  }
}
