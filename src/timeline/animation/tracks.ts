import type { Keyframe } from '../../contract/index.js';
import type { Animate, EasingFunction, PhaseAnimation } from '../../script/index.js';
import { tween } from '../curves.js';
import { loopTracks } from './loops.js';
import type { FrameWindow, Phases } from './phases.js';
import { atRest, awayPose, type Pose, type PoseProperty, type Subject } from './poses.js';

/** Curves of the properties that move. */
export type Tracks = Partial<Record<PoseProperty, Keyframe[]>>;

/** Properties whose values must stay within 0..1 or above 0, so easings must not overshoot. */
const bounded: ReadonlySet<PoseProperty> = new Set(['opacity', 'blur', 'left', 'top', 'right', 'bottom']);

/** Part of the time of a pop over which it becomes opaque. */
const POP_FADE = 0.4;

/** All motion of one part: entrance, repetition, exit. `part`: its place in the order of each phase. */
export function partTracks(animate: Animate, phases: Phases, part: Record<'in' | 'out' | 'loop', number>, fps: number, subject: Subject): Tracks {
  return concatenate([
    animate.in === undefined ? {} : phaseTracks(animate.in, 'in', phases.in(part.in), awayPose(animate.in, 'in', subject)),
    animate.loop === undefined ? {} : loopTracks(animate.loop, phases.loop(part.loop), fps, subject),
    animate.out === undefined ? {} : phaseTracks(animate.out, 'out', phases.out(part.out), awayPose(animate.out, 'out', subject)),
  ]);
}

/** The curves between a pose and rest. */
export function phaseTracks(animation: PhaseAnimation, phase: 'in' | 'out', window: FrameWindow, pose: Pose): Tracks {
  const tracks: Tracks = {};
  for (const [property, away] of Object.entries(pose) as Array<[PoseProperty, number]>) {
    const rest = atRest[property];
    const own = animation.type === 'pop' && property === 'opacity' ? firstPart(window, phase) : window;
    const easing = bounded.has(property) ? withoutOvershoot(animation.easing) : animation.easing;
    const { min, max } = limitsOf(property) ?? { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
    const limited = Math.min(max, Math.max(min, away));
    const [start, end] = phase === 'in' ? [limited, rest] : [rest, limited];
    tracks[property] = isStep(own)
      ? step(own.from, start, end)
      : tween({ frame: own.from, value: start }, { frame: own.to, value: end }, easing, limitsOf(property));
  }
  return tracks;
}

/** Joins curves that follow each other in time. */
export function concatenate(list: readonly Tracks[]): Tracks {
  const joined: Tracks = {};
  for (const tracks of list)
    for (const [property, keys] of Object.entries(tracks) as Array<[PoseProperty, Keyframe[]]>) joined[property] = [...(joined[property] ?? []), ...keys];
  for (const [property, keys] of Object.entries(joined) as Array<[PoseProperty, Keyframe[]]>) joined[property] = ascending(keys);
  return joined;
}

/** Drops keyframes that a later one overrides: those at or after its frame. */
function ascending(keys: readonly Keyframe[]): Keyframe[] {
  const latestFirst: Keyframe[] = [];
  for (const key of keys.toReversed()) {
    const next = latestFirst.at(-1);
    if (next === undefined || key.frame < next.frame - 1e-6) latestFirst.push(key);
  }
  return latestFirst.reverse();
}

function firstPart({ from, to }: FrameWindow, phase: 'in' | 'out'): FrameWindow {
  const length = (to - from) * POP_FADE;
  return phase === 'in' ? { from, to: from + length } : { from: to - length, to };
}

const isStep = ({ from, to }: FrameWindow): boolean => to - from < 1e-3;

/** Frames before a sudden change at which its keyframe lies: after all earlier ones, since curves are read at whole frames. */
const STEP_FRAMES = 1e-3;

/** A value that changes at once. */
function step(frame: number, before: number, after: number): Keyframe[] {
  return [
    { frame: frame - STEP_FRAMES, value: before, easing: 'hold' },
    { frame, value: after },
  ];
}

function limitsOf(property: PoseProperty): { min: number; max: number } | undefined {
  if (property === 'blur' || property === 'scaleX' || property === 'scaleY') return { min: 0, max: 500 };
  return bounded.has(property) ? { min: 0, max: 1 } : undefined;
}

/** The easing for values that must not overshoot: clamped, they would come back from their end. */
function withoutOvershoot(easing: EasingFunction): EasingFunction {
  if (typeof easing === 'string') return easing.replace(/Back|Elastic/, 'Cubic') as EasingFunction;
  if ('spring' in easing) {
    const { stiffness, damping } = easing.spring;
    return { spring: { stiffness, damping: Math.max(damping, 2 * Math.sqrt(stiffness)) } };
  }
  const [x1, y1, x2, y2] = easing.bezier;
  return { bezier: [x1, Math.min(1, Math.max(0, y1)), x2, Math.min(1, Math.max(0, y2))] };
}
