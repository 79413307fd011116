import type { Keyframe } from '../../contract/index.js';
import { evaluate, type LoopAnimation, type PhaseAnimation } from '../../script/index.js';
import { tween } from '../curves.js';
import type { FrameWindow } from './phases.js';

/** Animations in which other drawings replace the letters of a text for a while. */
const redrawnTypes = ['scramble', 'draw-on'] as const;
export type RedrawnType = (typeof redrawnTypes)[number];

/** One of the drawings that replace a letter: a random letter, or a part of its outline. */
export interface Variant {
  of: RedrawnType;
  /** From 0; of draw-on in the order of drawing. */
  step: number;
}

/** The random letters that follow each other. */
const LETTER_SECONDS = 1 / 15;
/** Share of the time of draw-on after which the fill fades in, and that after which the outline fades out. */
const [FILL, OUTLINE] = [0.65, 0.85];

/** Whether an animation shows variants of the letters. */
export function isRedrawn(animation: PhaseAnimation | LoopAnimation | undefined): animation is PhaseAnimation & { type: RedrawnType } {
  return redrawnTypes.some((type) => type === animation?.type);
}

/** The piece of a text that is a part or a variant of it. */
interface Part {
  role: string;
  index: number;
  variant?: Variant;
}

/** Number of variants by type and index of the part. */
export type Steps = ReadonlyMap<string, number>;

const stepKey = (type: string, index: number): string => `${type} ${index}`;

/** Counts the variants of the parts of a text; punctuation has no random letters. */
export function stepsOf(pieces: readonly Part[]): Steps {
  const steps = new Map<string, number>();
  for (const { index, variant } of pieces) {
    if (variant === undefined) continue;
    const key = stepKey(variant.of, index);
    steps.set(key, Math.max(steps.get(key) ?? 0, variant.step + 1));
  }
  return steps;
}

/** A phase during some frames of a text; `window`: when the part settles or leaves. */
interface RedrawnPhase {
  animation: PhaseAnimation;
  phase: 'in' | 'out';
  window: FrameWindow;
  from: number;
  to: number;
}

/** When a piece is shown, in frames from the start of the element. */
interface Shown {
  start: number;
  frames: number;
  opacity?: Keyframe[];
}

/** When a part of a text or one of its variants is shown during a phase. Nothing is shown before the part enters and after it left. */
export function redrawnPart({ index, variant }: Part, phase: RedrawnPhase, steps: Steps, fps: number): Shown[] {
  const { animation, window } = phase;
  const count = steps.get(stepKey(animation.type, index)) ?? 0;
  const isEntrance = phase.phase === 'in';
  if (variant !== undefined && variant.of !== animation.type) return [];
  if (animation.type === 'draw-on' && variant === undefined) return rest(phase, along(window, isEntrance ? FILL : 1 - FILL), filled(phase));
  if (variant === undefined) return rest(phase, count > 0 === isEntrance ? window.to : window.from);
  const stepAt = animation.type === 'draw-on' ? outlineStep(phase, count) : randomStep(phase, count, index, fps);
  const own = framesWithin(window, phase).filter((frame) => stepAt(frame) === variant.step);
  const opacity = animation.type === 'draw-on' && variant.step === count - 1 ? { opacity: outlined(phase) } : {};
  return joined(own).map((frames) => ({ ...frames, ...opacity }));
}

function along({ from, to }: FrameWindow, share: number): number {
  return from + (to - from) * share;
}

/** The part itself: from a frame on in an entrance, up to its end in an exit. */
function rest({ phase, from, to }: RedrawnPhase, settled: number, opacity?: Keyframe[]): Shown[] {
  const change = Math.ceil(settled - 1e-6);
  const [first, end] = phase === 'in' ? [change, to] : [from, change];
  const start = Math.max(from, first);
  return end > start ? [{ start, frames: end - start, ...(opacity && { opacity }) }] : [];
}

/** Opacity of the fill, which an exit takes away first. */
function filled({ phase, window }: RedrawnPhase): Keyframe[] {
  if (phase === 'in') return tween({ frame: along(window, FILL), value: 0 }, { frame: after(window, FILL), value: 1 }, 'easeInOutSine');
  return tween({ frame: window.from, value: 1 }, { frame: Math.max(along(window, 1 - FILL), window.from + 0.5), value: 0 }, 'easeInOutSine');
}

/** Opacity of the complete outline, under which the fill appears. */
function outlined({ phase, window }: RedrawnPhase): Keyframe[] {
  if (phase === 'in') return tween({ frame: along(window, OUTLINE), value: 1 }, { frame: after(window, OUTLINE), value: 0 }, 'easeInOutSine');
  return tween({ frame: window.from, value: 0 }, { frame: Math.max(along(window, 1 - OUTLINE), window.from + 0.5), value: 1 }, 'easeInOutSine');
}

/** The end of a window, later than a share of it. */
function after(window: FrameWindow, share: number): number {
  return Math.max(window.to, along(window, share) + 0.5);
}

function outlineStep({ animation, phase, window }: RedrawnPhase, count: number): (frame: number) => number {
  const [start, end] = phase === 'in' ? [window.from, along(window, FILL)] : [along(window, 1 - FILL), window.to];
  return (frame) => {
    const progress = evaluate(animation.easing, Math.min(1, Math.max(0, (frame - start) / Math.max(1e-6, end - start))));
    const drawn = Math.min(1, Math.max(0, phase === 'in' ? progress : 1 - progress)) * count;
    // An exit ends without a remainder.
    return (phase === 'in' ? Math.ceil(drawn) : Math.floor(drawn + 1e-6)) - 1;
  };
}

/** Letters change at even times, whatever the frame rate, and not all at the same frame. */
function randomStep({ window }: RedrawnPhase, count: number, index: number, fps: number): (frame: number) => number {
  return (frame) => (index * 3 + Math.floor((frame - window.from) / fps / LETTER_SECONDS + ((index * 0.618) % 1))) % count;
}

function framesWithin(window: FrameWindow, { from, to }: RedrawnPhase): number[] {
  const first = Math.max(from, Math.ceil(window.from - 1e-6));
  const end = Math.min(to, Math.ceil(window.to - 1e-6));
  return Array.from({ length: Math.max(0, end - first) }, (_, k) => first + k);
}

/** Runs of frames. */
function joined(frames: readonly number[]): Array<{ start: number; frames: number }> {
  const runs: Array<{ start: number; frames: number }> = [];
  for (const frame of frames) {
    const last = runs.at(-1);
    if (last !== undefined && frame === last.start + last.frames) last.frames++;
    else runs.push({ start: frame, frames: 1 });
  }
  return runs;
}
