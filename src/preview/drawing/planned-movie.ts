import type { Plan } from '../../render/index.js';
import { type CanvasSize, scaledCanvas, scaleTimeline } from '../../timeline/index.js';
import { LruCache } from '../index.js';

/** A timeline as the engine reads it. */
interface ScaledTimeline {
  canvas: CanvasSize;
  json: Buffer;
}

/** A client looks at a movie in one or two sizes. */
const maxSizes = 3;

/** A planned movie with its timeline in the sizes that were requested. */
export class PlannedMovie {
  readonly plan: Plan;
  /** Frames up to this width can be drawn from the sprites of this plan. */
  readonly maxWidth: number;
  readonly #scaled = new LruCache<ScaledTimeline>(maxSizes);

  constructor(plan: Plan, maxWidth: number) {
    this.plan = plan;
    this.maxWidth = maxWidth;
  }

  get frameCount(): number {
    return this.plan.timeline.canvas.frames;
  }

  /** The frame shown at a time in seconds; tolerates the rounding of a frame's own time. */
  frameAt(seconds: number): number {
    const { num, den } = this.plan.timeline.canvas.fps;
    return Math.floor((seconds * num) / den + 0.02);
  }

  /** The start time of a frame in seconds, rounded to microseconds. */
  timeOf(frame: number): number {
    const { num, den } = this.plan.timeline.canvas.fps;
    return Math.round(((frame * den) / num) * 1e6) / 1e6;
  }

  /** The timeline scaled to a width in pixels, at most the movie's own. */
  scaledTo(width: number): ScaledTimeline {
    const { timeline } = this.plan;
    const canvas = scaledCanvas(timeline.canvas, width);
    const key = String(canvas.width);
    return this.#scaled.get(key) ?? this.#scaled.set(key, { canvas, json: Buffer.from(JSON.stringify(scaleTimeline(timeline, canvas))) });
  }
}
