import type { Clip, Rect } from '../../contract/index.js';
import type { GroupElement, Span } from '../../script/index.js';
import { sum } from '../curves.js';
import { type ClipContext, clipBase } from './media-clip.js';

/** The clip of a group with the clips of its elements, whose times count from the start of the scene or movie; none for a group without clips. */
export function groupClip(element: GroupElement, members: readonly Clip[], span: Span, context: ClipContext): Clip[] {
  if (members.length === 0) return [];
  const { x, y, ...base } = clipBase(element, contentOf(members), span, context);
  return [
    {
      ...base,
      clips: members.map((clip) => ({ ...clip, start: clip.start - span.startFrame })),
      ...offset('x', x, element.x),
      ...offset('y', y, element.y),
    },
  ];
}

/** The rectangle around the boxes of all clips. */
function contentOf(clips: readonly Clip[]): Rect {
  const x = Math.min(...clips.map(({ box }) => box.x));
  const y = Math.min(...clips.map(({ box }) => box.y));
  const right = Math.max(...clips.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...clips.map(({ box }) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function offset(axis: 'x' | 'y', motion: Clip['x'], by: number): Pick<Clip, 'x' | 'y'> {
  if (motion === undefined) return by === 0 ? {} : { [axis]: by };
  return { [axis]: typeof motion === 'number' ? sum(motion, by) : motion.map((key) => ({ ...key, value: sum(key.value, by) })) };
}
