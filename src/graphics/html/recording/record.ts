import type { CDPSession } from 'puppeteer-core';
import type { HtmlTiming } from '../page.js';
import { type PageState, pageStateExpression } from '../page-script.js';
import { frameMicroseconds, type PageClock } from './clock.js';
import { CycleFinder } from './cycle.js';

export interface RecordParts {
  session: CDPSession;
  clock: PageClock;
  wait: number;
  /** Images that move without the page's doing. */
  hasMovingImages: () => boolean;
  /** Called for each frame in order; undefined: as the one before. */
  onFrame: (image: Buffer | undefined) => Promise<void>;
  /** All that is left repeats the frames from this one on. */
  onLoop: (fromFrame: number) => void;
  /** Called when another frame was reached, for time limits. */
  onStep: () => void;
}

const unknownState: PageState = { frames: 1, moves: true, cycles: [] };

/** Shows a page frame by frame on the movie's clock, until it stands still or all frames are there. */
export async function recordPage(parts: RecordParts, { fps, frames, signal }: HtmlTiming): Promise<void> {
  const { session, clock, wait, hasMovingImages, onFrame, onLoop, onStep } = parts;
  // The first frame lays out and paints, and starts the animations.
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
    // Asked now and then: what a page does later, it may do endlessly.
    if (cycle.isLooking && frame % 15 === 1 && frames - frame > 60) cycle.expect(frame + 1, (await readState()).cycles);
  }
  await writing;

  /** Where nobody waits for frames, one more at the same instant does nothing but show what changed. */
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
