import type { Plan } from '../../render/index.js';
import { type CanvasSize, scaledCanvas, scaleTimeline } from '../../timeline/index.js';

/** A timeline as the engine reads it. */
export interface SizedTimeline {
  canvas: CanvasSize;
  json: Buffer;
}

/** Sizes of one movie that are kept: somebody looks at it in one or two. */
const mostSizes = 3;

/** A planned movie, with its timeline in the sizes that were asked for. */
export class KeptMovie {
  readonly plan: Plan;
  /** The widest picture for which its pages were drawn densely enough. */
  readonly widest: number;
  readonly #sized = new Map<number, SizedTimeline>();

  constructor(plan: Plan, widest: number) {
    this.plan = plan;
    this.widest = widest;
  }

  get frames(): number {
    return this.plan.timeline.canvas.frames;
  }

  /** The frame that is seen at a time, in seconds; tolerates the decimals of a frame's own time. */
  frameAt(seconds: number): number {
    const { num, den } = this.plan.timeline.canvas.fps;
    return Math.floor((seconds * num) / den + 0.02);
  }

  timeOf(frame: number): number {
    const { num, den } = this.plan.timeline.canvas.fps;
    return Math.round(((frame * den) / num) * 1e6) / 1e6;
  }

  sized(wantedWidth: number): SizedTimeline {
    const { timeline } = this.plan;
    const canvas = scaledCanvas(timeline.canvas, wantedWidth);
    const known = this.#sized.get(canvas.width);
    if (known !== undefined) return known;
    const json = Buffer.from(JSON.stringify(scaleTimeline(timeline, canvas)));
    const sized = { canvas, json };
    this.#sized.set(canvas.width, sized);
    const [oldest] = this.#sized.keys();
    if (this.#sized.size > mostSizes && oldest !== undefined) this.#sized.delete(oldest);
    return sized;
  }
}
