import { join } from 'node:path';
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Rect } from '../canvas/bitmap.js';
import { expandToEven } from '../canvas/bitmap.js';
import { storeSprite } from '../canvas/sprite-file.js';
import { createSurface, cropSurface, surfaceDensity } from '../canvas/surface.js';
import type { Brush } from '../text/brush.js';
import { type Painted, type Painting, paintText } from '../text/paint.js';

/** A sprite file and its rectangle on the canvas. */
export interface Sprite extends Rect {
  path: string;
}

/** Draws sprite files into a folder; clips them at one element size beyond each side of the element. */
export class SpritePainter {
  readonly #folder: string;
  readonly #limits: Rect;
  readonly #density: number;

  /** `width` and `height`: the element's size in canvas pixels. `density`: sprite pixels per canvas pixel. */
  constructor(folder: string, { width, height, density = 1 }: { width: number; height: number; density?: number }) {
    this.#folder = folder;
    this.#limits = { x: -width, y: -height, width: width * 3, height: height * 3 };
    this.#density = density;
  }

  /** Returns undefined when nothing is visible. `count`: the number of sprites of this size, which lowers their density. */
  async draw(extent: Rect, paint: (context: SKRSContext2D) => void, count = 1): Promise<Sprite | undefined> {
    const bounds = this.#clamp(extent);
    if (bounds === undefined) return undefined;
    const sheet = createSurface(bounds, surfaceDensity(bounds, this.#density, count));
    paint(sheet.context);
    return this.#store(cropSurface(sheet));
  }

  async drawText(painting: Painting, brush: Brush): Promise<Sprite | undefined> {
    return this.#store(paintText(painting, brush, this.#density));
  }

  async #store(painted: Painted | undefined): Promise<Sprite | undefined> {
    return painted && { ...painted.at, path: join(this.#folder, await storeSprite(this.#folder, painted.bitmap)) };
  }

  #clamp({ x, y, width, height }: Rect): Rect | undefined {
    const left = Math.max(x, this.#limits.x);
    const top = Math.max(y, this.#limits.y);
    const right = Math.min(x + width, this.#limits.x + this.#limits.width);
    const bottom = Math.min(y + height, this.#limits.y + this.#limits.height);
    if (!(right - left > 0.01 && bottom - top > 0.01)) return undefined;
    return expandToEven({ x: left, y: top, width: right - left, height: bottom - top });
  }
}
