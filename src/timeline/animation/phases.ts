import { type Animate, type LoopAnimation, type PhaseAnimation, partSeconds, phaseSeconds, staggerSeconds } from '../../script/index.js';

/** Frames from the start of a motion to its end; may be fractional. */
export interface FrameWindow {
  from: number;
  to: number;
}

/** When the parts of an element move, in frames from the element's start. */
export interface Phases {
  /** When the last part has entered. */
  inEnd: number;
  /** When the first part begins to leave. */
  outStart: number;
  in(part: number): FrameWindow;
  out(part: number): FrameWindow;
  /** When the last part leaves. */
  lastOut: FrameWindow;
  loop(part: number): FrameWindow;
}

/** Number of parts by phase. */
export type PartCounts = Readonly<Record<'in' | 'out' | 'loop', number>>;

/**
 * Plans the phases of an element. An entrance and an exit that do not fit into its frames are shortened in proportion. The exit ends with the element's last
 * frame, in which nothing is left, since a transition that follows shows that frame.
 */
export function planPhases(animate: Animate, counts: PartCounts, frames: number, fps: number): Phases {
  const inFrames = phaseSeconds(animate.in, counts.in) * fps;
  const outFrames = phaseSeconds(animate.out, counts.out) * fps;
  const end = animate.out === undefined ? frames : Math.max(0, frames - 1);
  const pace = Math.min(1, end / Math.max(1e-9, inFrames + outFrames));
  const inEnd = inFrames * pace;
  const outStart = end - outFrames * pace;
  const window = (animation: PhaseAnimation | undefined, count: number, start: number, part: number): FrameWindow => {
    if (animation === undefined) return { from: start, to: start };
    const from = start + (animation.delay + staggerSeconds(animation, count) * part) * fps * pace;
    return { from, to: from + partSeconds(animation) * fps * pace };
  };
  return {
    inEnd,
    outStart,
    in: (part) => window(animate.in, counts.in, 0, part),
    // What was typed is deleted from its end.
    out: (part) => window(animate.out, counts.out, outStart, animate.out?.type === 'typewriter' ? counts.out - 1 - part : part),
    lastOut: window(animate.out, counts.out, outStart, counts.out - 1),
    loop: (part) => ({ from: inEnd + loopDelay(animate.loop, counts.loop, part) * fps, to: outStart }),
  };
}

function loopDelay(loop: LoopAnimation | undefined, count: number, part: number): number {
  return loop === undefined ? 0 : loop.delay + staggerSeconds(loop, count) * part;
}
