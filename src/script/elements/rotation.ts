import type { Visual } from '../movie.js';
import type { Fields } from '../validation/fields.js';
import { pointOf } from '../values/positions.js';

/** Parses the rotation and the skew of an element and the point about which it rotates, skews and scales. */
export function parseRotation(fields: Fields): Pick<Visual, 'rotate' | 'anchor' | 'skewX' | 'skewY'> {
  const rotate = fields.object('rotate');
  const skew = { skewX: fields.number('skew-x'), skewY: fields.number('skew-y') };
  return { ...skew, ...(rotate && { rotate: { angle: rotate.number('angle'), speed: rotate.number('speed') } }), ...parseAnchor(fields) };
}

function parseAnchor(fields: Fields): Pick<Visual, 'anchor'> {
  const value = fields.find('anchor')?.value;
  if (value === undefined) return {};
  if (typeof value !== 'string') {
    const anchor = fields.object('anchor') as Fields;
    return { anchor: { x: anchor.number('x'), y: anchor.number('y') } };
  }
  return { anchor: pointOf(value) };
}
