import type { Clip } from '../../contract/index.js';
import type { GroupElement, Span } from '../../script/index.js';
import { sum } from '../curves.js';
import { boundsOf } from '../morph/morph-motion.js';
import { type ClipContext, clipBase } from './media-clip.js';

/** The clip of a group with the clips of its elements, whose times count from the start of the scene or movie; none for a group without clips. */
export function groupClip(element: GroupElement, members: readonly Clip[], span: Span, context: ClipContext): Clip[] {
  if (members.length === 0) return [];
  const { x, y, ...base } = clipBase(element, boundsOf(members), span, context);
  return [
    {
      ...base,
      clips: members.map((clip) => ({ ...clip, start: clip.start - span.startFrame })),
      ...offset('x', x, element.x),
      ...offset('y', y, element.y),
    },
  ];
}

function offset(axis: 'x' | 'y', motion: Clip['x'], by: number): Pick<Clip, 'x' | 'y'> {
  if (motion === undefined) return by === 0 ? {} : { [axis]: by };
  return { [axis]: typeof motion === 'number' ? sum(motion, by) : motion.map((key) => ({ ...key, value: sum(key.value, by) })) };
}
