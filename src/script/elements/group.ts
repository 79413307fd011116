import type { GroupElement } from '../movie.js';
import { fail, joinPath } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import { parseAnimate } from './animate.js';
import type { ElementContext } from './context.js';
import { parseDepth } from './depth.js';
import { parseEffects } from './effects.js';
import { parseRotation } from './rotation.js';
import { parseTimed } from './timed.js';

/** Maximum number of groups around an element. */
const MAX_LEVELS = 4;

/** Parses a group without its members. Throws SCHEMA_VALIDATION_ERROR for subtitles and for too many levels of groups. */
export function parseGroup(fields: Fields, path: string, context: ElementContext): GroupElement {
  const { canvas, groups = [] } = context;
  if (groups.length >= MAX_LEVELS) fail(path, `Groups must not be nested more than ${MAX_LEVELS} levels deep.`);
  const members = (fields.find('elements')?.value ?? []) as Array<{ type?: unknown }>;
  for (const [index, member] of members.entries()) {
    if (member.type === 'subtitles')
      fail(joinPath(joinPath(path, 'elements'), index), 'subtitles cannot be in a group, because they are on top of everything else.');
  }
  return {
    type: 'group',
    ...parseTimed(fields, path, context),
    zIndex: fields.number('z-index'),
    position: 'custom',
    x: fields.length('x', canvasScale(canvas, canvas.width)) ?? 0,
    y: fields.length('y', canvasScale(canvas, canvas.height)) ?? 0,
    width: -1,
    height: -1,
    resize: 'none',
    opacity: fields.number('opacity'),
    zoom: 0,
    panDistance: 0,
    panCrop: false,
    ...parseRotation(fields),
    flipHorizontal: false,
    flipVertical: false,
    ...parseEffects(fields, context),
    ...parseDepth(fields, context),
    ...parseAnimate(fields, 'group', context),
  };
}
