import type { Visual } from '../movie.js';
import type { Fields } from '../validation/fields.js';

const along: Readonly<Record<string, number>> = { top: 0, left: 0, center: 0.5, bottom: 1, right: 1 };

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
  const [vertical = '', horizontal = vertical] = value.split('-');
  return { anchor: { x: along[horizontal] ?? 0.5, y: along[vertical] ?? 0.5 } };
}
