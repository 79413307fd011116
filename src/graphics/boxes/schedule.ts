import type { Motion, MotionKeyframe, SceneNode } from '../components/index.js';
import type { FrameClock } from './curves.js';

/** Maximum time over which the parts of a split text start. */
export const maxSplitSpreadMs = 900;

/** Time in which an element neither enters nor leaves, unless it is too short. */
const minRestMs = 600;

/**
 * Places the motion of a tree on the time of an element: exits end with its last frame, of which nothing remains in a transition that
 * follows, and times given as a percentage become milliseconds. In an element that is too short for its entrance and exit both become faster. A tree without exits
 * is returned as it is.
 */
export function scheduleMotion(root: SceneNode, { framesPerSecond, frames }: FrameClock): SceneNode {
  const [durationMs, lastFrameMs] = [frames, frames - 1].map((frame) => (frame / framesPerSecond) * 1000) as [number, number];
  const nodes = nodesOf(root);
  const exitMs = Math.max(0, ...nodes.flatMap(({ exit }) => exit.flatMap(({ keys }) => keys.map(({ atMs }) => -atMs))));
  const isTimed = exitMs > 0 || nodes.some(({ motion }) => motion.some(({ keys }) => keys.some(({ atShare }) => atShare !== undefined)));
  if (!isTimed) return root;
  const entranceMs = Math.max(0, ...nodes.map(entranceOf));
  const pace = Math.min(1, durationMs / (entranceMs + exitMs + minRestMs));
  return schedule(root, { durationMs, lastFrameMs, pace });
}

function nodesOf(node: SceneNode): SceneNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}

/** Milliseconds until a node has entered. */
function entranceOf(node: SceneNode): number {
  const last = Math.max(0, ...node.motion.flatMap(({ keys }) => keys.filter(({ atShare }) => atShare === undefined).map(({ atMs }) => atMs)));
  const spread = node.split === undefined ? 0 : Math.min(maxSplitSpreadMs, node.staggerMs * Math.max(0, partCount(node) - 1));
  return node.delayMs + Math.max(last + spread, node.kind === 'counter' ? Number(node.values.duration ?? 0) : 0);
}

/** Number of parts of a split text before layout; lines are not known yet and count as the paragraphs. */
function partCount({ split, text }: SceneNode): number {
  const paragraphs = text?.paragraphs.map((paragraph) => paragraph.text) ?? [];
  if (split === 'lines') return Math.max(3, paragraphs.length);
  return paragraphs.reduce((sum, paragraph) => sum + (split === 'letters' ? paragraph.length : paragraph.split(' ').length), 0);
}

function schedule(node: SceneNode, time: { durationMs: number; lastFrameMs: number; pace: number }): SceneNode {
  const { durationMs, lastFrameMs, pace } = time;
  const entrance = node.motion.map(({ property, keys }) => ({ property, keys: keys.map((key) => timed(key, durationMs, pace)) }));
  const exit = node.exit.map(({ property, keys }) => ({
    property,
    keys: keys.map((key) => ({ ...key, atMs: lastFrameMs + key.atMs * pace, isAbsolute: true })),
  }));
  return {
    ...node,
    motion: join(entrance, exit),
    exit: [],
    delayMs: node.delayMs * pace,
    staggerMs: node.staggerMs * pace,
    ...(node.kind === 'counter' ? { values: { ...node.values, duration: Number(node.values.duration ?? 0) * pace } } : {}),
    children: node.children.map((child) => schedule(child, time)),
  };
}

function timed({ atShare, ...key }: MotionKeyframe, durationMs: number, pace: number): MotionKeyframe {
  return atShare === undefined ? { ...key, atMs: key.atMs * pace } : { ...key, atMs: durationMs * atShare, isAbsolute: true };
}

function join(entrance: readonly Motion[], exit: readonly Motion[]): Motion[] {
  const joined = entrance.map(({ property, keys }) => ({ property, keys: [...keys, ...(exit.find((other) => other.property === property)?.keys ?? [])] }));
  return [...joined, ...exit.filter(({ property }) => !entrance.some((other) => other.property === property))];
}
