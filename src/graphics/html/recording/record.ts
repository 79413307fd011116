import type { CDPSession } from 'puppeteer-core';
import type { HtmlTiming } from '../page.js';
import { type PageState, pageStateExpression } from '../page-script.js';
import { frameMicroseconds, type PageClock } from './clock.js';
import { CycleFinder } from './cycle.js';

interface RecordParts {
  session: CDPSession;
  clock: PageClock;
  /** Pre-roll in seconds. */
  wait: number;
  /** Whether the page has animated images. */
  hasMovingImages: () => boolean;
  /** Called for each frame in order; undefined: same as the previous frame. */
  onFrame: (image: Buffer | undefined) => Promise<void>;
  /** Called at the end if the remaining frames repeat those from `fromFrame` on. */
  onLoop: (fromFrame: number) => void;
  /** Called after each frame, for time limits. */
  onStep: () => void;
}

const unknownState: PageState = { frames: 1, moves: true, cycles: [] };

/** Records a page frame by frame on the movie's clock until it stops moving, a cycle is found or all frames are drawn. */
export async function recordPage(parts: RecordParts, { fps, frames, signal }: HtmlTiming): Promise<void> {
  const { session, clock, wait, hasMovingImages, onFrame, onLoop, onStep } = parts;
  // The first frame performs layout and starts animations.
  const { changed } = await clock.beginFrame(false);
  if (!changed) await clock.beginFrame(false);
  await clock.tick();
  const loadedAt = clock.now;
  const readState = async (): Promise<PageState> => {
    const { result } = await session.send('Runtime.evaluate', { expression: pageStateExpression, returnByValue: true });
    const state = result.value as PageState;
    return hasMovingImages() ? { ...state, moves: true, cycles: [] } : state;
  };
  const first = await preRoll();
  let last: Buffer | undefined;
  let state: PageState = unknownState;
  const cycle = new CycleFinder(fps);
  let writing: Promise<void> = Promise.resolve();
  for (let frame = 0; frame < frames; frame++) {
    signal?.throwIfAborted();
    await clock.advanceTo(first + frameMicroseconds(frame, fps));
    const image = await draw();
    onStep();
    const isNew = image !== undefined && (last === undefined || !image.equals(last));
    await writing;
    writing = onFrame(isNew ? image : undefined);
    writing.catch(() => {});
    if (isNew) {
      last = image;
      state = unknownState;
    } else {
      state = await readState();
      if (!state.moves) break;
    }
    const loop = last === undefined ? undefined : cycle.add(last);
    if (loop !== undefined) {
      await writing;
      onLoop(loop.from);
      break;
    }
    // Checked periodically, because endless animations may start later.
    if (cycle.isLooking && frame % 15 === 1 && frames - frame > 60) cycle.expect(frame + 1, (await readState()).cycles);
  }
  await writing;

  /** Without pending frame callbacks, a frame without screenshot has no side effects and reports whether anything changed. */
  async function draw(): Promise<Buffer | undefined> {
    if (state.frames === 0 && last !== undefined) {
      const seen = await clock.beginFrame(false);
      if (!seen.changed) return undefined;
    }
    return (await clock.beginFrame(true)).image;
  }

  async function preRoll(): Promise<number> {
    const end = loadedAt + frameMicroseconds(wait, { num: 1, den: 1 });
    for (let frame = 0; ; frame++) {
      const time = loadedAt + frameMicroseconds(frame, fps);
      if (time >= end) break;
      signal?.throwIfAborted();
      await clock.advanceTo(time);
      const { changed: hasChanged } = await clock.beginFrame(false);
      onStep();
      if (frame > 1 && !hasChanged && !(await readState()).moves) break;
    }
    return Math.max(end, clock.now);
  }
}
