import type { Motion, MotionKeyframe } from '../components/index.js';
import type { Box } from './layout.js';

/** Duration of a scroll, and the part of it in which an entry that leaves fades out. */
const scrollMs = 600;
const fadeShare = 0.6;
/** Time for which the last entry rests, if the element is long enough. */
const readingMs = 1800;
/** The layout rounds to whole pixels; so many too few are no reason to scroll. */
const slack = 2;

/**
 * Scrolls the content of boxes with `scrolls`: while the entries of its first child enter one after the other, those that would end below the box
 * move all of them up. Entries that leave it at the top fade out, so that none is cut. What fits is returned as it is.
 */
export function scrollContent(box: Box, durationMs: number): Box {
  const children = box.children.map((child) => scrollContent(child, durationMs));
  const [content, ...others] = children;
  if (!box.node.scrolls || content === undefined) return { ...box, children };
  return { ...box, children: [scrolled(content, box.content, durationMs), ...others] };
}

function scrolled(content: Box, { y: top, height }: Box['content'], durationMs: number): Box {
  const shifts = content.children.map((entry) => Math.min(0, top + height - entry.y - entry.height));
  if (!shifts.some((shift) => shift < -slack)) return content;
  const entries = spreadOut(content.children, durationMs);
  const times = entries.map(({ node }) => node.delayMs);
  const lengthOf = (index: number): number => Math.min(scrollMs, 0.9 * ((times[index + 1] ?? Number.POSITIVE_INFINITY) - (times[index] ?? 0)));
  const keys = shifts.flatMap((shift, index): MotionKeyframe[] => {
    const [before, start] = [shifts[index - 1] ?? 0, times[index] ?? 0];
    if (shift === before) return [];
    return [keyAt(start, { px: before }, 'easeInOutCubic'), keyAt(start + lengthOf(index), { px: shift })];
  });
  const leaving = entries.map((entry, index) => {
    const gone = shifts.findIndex((shift, later) => later > index && entry.y + shift < top - 1);
    return gone < 0 ? entry : fadedOut(entry, times[gone] ?? 0, lengthOf(gone) * fadeShare);
  });
  const node = { ...content.node, movesChildren: true, motion: [...content.node.motion, { property: 'shift-y' as const, keys }] };
  return { ...content, node, children: leaving };
}

/** Gives each entry time to be read, by its height, before the next one enters: the last one rests for `readingMs` before it leaves. */
function spreadOut(entries: readonly Box[], durationMs: number): readonly Box[] {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return entries;
  const [start, end] = [first.node.delayMs, last.node.delayMs];
  const keys = last.node.motion.flatMap((motion) => motion.keys);
  const entranceMs = Math.max(0, ...keys.filter(({ isAbsolute }) => isAbsolute !== true).map(({ atMs }) => atMs));
  const exitAt = Math.min(durationMs, ...keys.filter(({ isAbsolute }) => isAbsolute === true).map(({ atMs }) => atMs));
  const span = exitAt - readingMs - entranceMs - start;
  if (span <= end - start) return entries;
  const whole = entries.slice(0, -1).reduce((sum, { height }) => sum + height, 0);
  let above = 0;
  return entries.map((entry) => {
    const at = start + (span * above) / Math.max(1, whole);
    above += entry.height;
    return delayed(entry, at - entry.node.delayMs);
  });
}

function delayed(box: Box, byMs: number): Box {
  return { ...box, node: { ...box.node, delayMs: box.node.delayMs + byMs }, children: box.children.map((child) => delayed(child, byMs)) };
}

/** The box without the end of its opacity, which fades out at this time instead. */
function fadedOut(box: Box, atMs: number, lengthMs: number): Box {
  const { motion } = box.node;
  const entering = motion.find(({ property }) => property === 'opacity')?.keys.filter(({ isAbsolute }) => isAbsolute !== true) ?? [];
  const opacity: Motion = {
    property: 'opacity',
    keys: [...entering, keyAt(atMs, { number: 1 }, 'easeOutCubic'), keyAt(atMs + lengthMs, { number: 0 })],
  };
  return { ...box, node: { ...box.node, motion: [...motion.filter(({ property }) => property !== 'opacity'), opacity] } };
}

function keyAt(atMs: number, value: MotionKeyframe['value'], easing?: string): MotionKeyframe {
  return { atMs, isAbsolute: true, value, ...(easing === undefined ? {} : { easing }) };
}
