import type { Pan, Visual, VisualElement } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { canvasScale } from '../values/canvas.js';
import { parsePosition } from '../values/positions.js';
import { parseAnimate } from './animate.js';
import type { ElementContext } from './context.js';
import { parseDepth } from './depth.js';
import { parseEffects } from './effects.js';
import { parseRotation } from './rotation.js';
import type { parseTimed } from './timed.js';

/** Parses the properties of all visual elements: position, size, motion and effects. `kind`: type of the element. */
export function parseVisual(kind: VisualElement['type'], fields: Fields, context: ElementContext): Omit<Visual, keyof ReturnType<typeof parseTimed>> {
  const { canvas } = context;
  const resize = parseResize(fields);
  const pan = fields.optionalString('pan') as Pan | undefined;
  return {
    zIndex: fields.number('z-index'),
    position: parsePosition(fields.string('position')),
    x: fields.length('x', canvasScale(canvas, canvas.width)) ?? 0,
    y: fields.length('y', canvasScale(canvas, canvas.height)) ?? 0,
    // `resize` overrides width and height.
    width: resize === 'none' ? parseSide(fields, 'width', context) : -1,
    height: resize === 'none' ? parseSide(fields, 'height', context) : -1,
    resize,
    opacity: fields.number('opacity'),
    zoom: fields.number('zoom'),
    ...(pan === undefined ? {} : { pan }),
    panDistance: fields.number('pan-distance'),
    panCrop: fields.flag('pan-crop'),
    ...parseRotation(fields),
    flipHorizontal: fields.flag('flip-horizontal'),
    flipVertical: fields.flag('flip-vertical'),
    ...parseCrop(fields),
    ...parseEffects(fields, context),
    ...parseDepth(fields, context),
    ...parseAnimate(fields, kind, context),
  };
}

function parseResize(fields: Fields): Visual['resize'] {
  const resize = fields.string('resize');
  if (resize === 'fill') return 'cover';
  if (resize === 'fit') return 'contain';
  return resize as Visual['resize'];
}

/** Width or height of the element, or of its older `scale` property; -1 if neither is set. */
function parseSide(fields: Fields, side: 'width' | 'height', { canvas }: ElementContext): number {
  const scale = canvasScale(canvas, canvas[side]);
  const length = fields.length(side, scale) ?? fields.object('scale')?.length(side, scale) ?? -1;
  return length > 0 ? length : -1;
}

function parseCrop(fields: Fields): Pick<Visual, 'crop'> {
  const crop = fields.object('crop');
  if (crop === undefined) return {};
  return { crop: { x: crop.number('x'), y: crop.number('y'), width: requiredNumber(crop, 'width'), height: requiredNumber(crop, 'height') } };
}

/** Reads a required property, which the schema allows to be null. */
function requiredNumber(fields: Fields, name: string): number {
  return fields.optionalNumber(name) ?? fail(fields.pathOf(name), `${name} must be a number, not null.`);
}
