import { canvasScale } from './canvas.js';
import { fail, joinPath } from './fail.js';
import { Fields, lastPart } from './fields.js';
import type { AudioElement, Element, ImageElement, Movie, Pan, Position, TextElement, VideoElement, Visual } from './movie.js';
import { schemaPart } from './schema.js';
import { parseTypography } from './typography.js';

/** Why a URL is refused, or undefined when it is fine. */
export type CheckUrl = (url: string) => string | undefined;

export interface ElementContext {
  canvas: Pick<Movie, 'width' | 'height'>;
  checkUrl: CheckUrl;
}

type RawElement = Readonly<Record<string, unknown>> & { type: Element['type'] };

export function parseElements(list: unknown, path: string, context: ElementContext): Element[] {
  const raw = (list ?? []) as RawElement[];
  return raw.map((object, index) => parseElement(object, joinPath(path, index), context));
}

function parseElement(object: RawElement, path: string, context: ElementContext): Element {
  const fields = new Fields({ object, path, schema: schemaPart(object.type) });
  switch (object.type) {
    case 'text':
      return parseText(object, fields, path, context);
    case 'image':
      return {
        type: 'image',
        ...parseCommon(fields, path),
        ...parseVisual(fields, context),
        ...parseCrop(fields),
        src: parseSource(fields, context),
      } satisfies ImageElement;
    case 'video':
      return {
        type: 'video',
        ...parseCommon(fields, path),
        ...parseVisual(fields, context),
        ...parseCrop(fields),
        ...parseAudible(fields),
        src: parseSource(fields, context),
      } satisfies VideoElement;
    case 'audio':
      return { type: 'audio', ...parseCommon(fields, path), ...parseAudible(fields), src: parseSource(fields, context) } satisfies AudioElement;
  }
}

function parseText(object: RawElement, own: Fields, path: string, context: ElementContext): TextElement {
  const settings = (Object.hasOwn(object, 'settings') ? object.settings : undefined) ?? {};
  const inSettings = { object: settings as Record<string, unknown>, path: joinPath(path, 'settings'), schema: schemaPart('textSettings') };
  const styling = new Fields({ object, path, schema: schemaPart('text') }, inSettings);
  const visual = { ...parseVisual(own, context), opacity: styling.number('opacity') };
  const style = own.string('style') as TextElement['style'];
  const placement = { position: visual.position, widthIsAuto: visual.width <= 0, heightIsAuto: visual.height <= 0 };
  return {
    type: 'text',
    ...parseCommon(own, path),
    ...visual,
    text: own.string('text'),
    style,
    typography: { ...parseTypography(styling, style, context.canvas, placement), ...parseBlockWidth(new Fields(inSettings), visual, context) },
  };
}

/** On the element, width is that of the box in which the block is laid out; in its settings that of the block. */
function parseBlockWidth(settings: Fields, { width }: Pick<Visual, 'width'>, { canvas }: ElementContext): Pick<TextElement['typography'], 'blockWidth'> {
  const found = settings.find('width')?.value;
  if (found === undefined || found === 'auto') return {};
  const blockWidth = settings.length('width', canvasScale(canvas, width > 0 ? width : canvas.width));
  return blockWidth === undefined ? {} : { blockWidth };
}

function parseCommon(fields: Fields, path: string) {
  const id = fields.optionalString('id');
  return {
    path,
    ...(id === undefined ? {} : { id }),
    start: parseStart(fields),
    duration: parseDuration(fields),
    extraTime: fields.number('extra-time'),
    fadeIn: fields.optionalNumber('fade-in') ?? 0,
    fadeOut: fields.optionalNumber('fade-out') ?? 0,
  };
}

/** The schema lets numeric strings pass by form; which numbers are meant is settled here. */
function parseStart(fields: Fields): number {
  const start = fields.number('start');
  const found = fields.find('start');
  if (start < 0 && start !== -1) fail(found?.path ?? '', `${lastPart(found?.path ?? '')} must be 0 or more, or -1, not ${start}.`);
  return start;
}

function parseDuration(fields: Fields): number | 'natural' | 'container' {
  const duration = fields.number('duration');
  if (duration === -1) return 'natural';
  if (duration === -2) return 'container';
  const path = fields.find('duration')?.path ?? '';
  return duration > 0 ? duration : fail(path, `${lastPart(path)} must be greater than 0, or -1 or -2, not ${duration}.`);
}

function parseVisual(fields: Fields, context: ElementContext): Omit<Visual, keyof ReturnType<typeof parseCommon>> {
  const { canvas } = context;
  const resize = parseResize(fields);
  const pan = fields.optionalString('pan') as Pan | undefined;
  const rotate = fields.object('rotate');
  return {
    zIndex: fields.number('z-index'),
    position: parsePosition(fields.string('position')),
    x: fields.length('x', canvasScale(canvas, canvas.width)) ?? 0,
    y: fields.length('y', canvasScale(canvas, canvas.height)) ?? 0,
    // resize decides the size alone.
    width: resize === 'none' ? parseSide(fields, 'width', context) : -1,
    height: resize === 'none' ? parseSide(fields, 'height', context) : -1,
    resize,
    opacity: fields.number('opacity'),
    zoom: fields.number('zoom'),
    ...(pan === undefined ? {} : { pan }),
    panDistance: fields.number('pan-distance'),
    panCrop: fields.flag('pan-crop'),
    ...(rotate === undefined ? {} : { rotate: { angle: rotate.number('angle'), speed: rotate.number('speed') } }),
    flipHorizontal: fields.flag('flip-horizontal'),
    flipVertical: fields.flag('flip-vertical'),
  };
}

function parseResize(fields: Fields): Visual['resize'] {
  const resize = fields.string('resize');
  if (resize === 'fill') return 'cover';
  if (resize === 'fit') return 'contain';
  return resize as Visual['resize'];
}

/** Names one axis ("bottom") or both in either order ("center-bottom"). */
function parsePosition(name: string): Position {
  if (name === 'custom') return 'custom';
  const words = name.split('-');
  const vertical = words.find((word) => word === 'top' || word === 'bottom') ?? 'center';
  const horizontal = words.find((word) => word === 'left' || word === 'right') ?? 'center';
  return `${vertical}-${horizontal}` as Position;
}

/** Of the element, else of its older `scale`; -1 when neither says. */
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

/** Required properties may still be null, which the schema lets pass as "absent". */
function requiredNumber(fields: Fields, name: string): number {
  return fields.optionalNumber(name) ?? fail(fields.pathOf(name), `${name} must be a number, not null.`);
}

function parseAudible(fields: Fields) {
  const looping = fields.find('loop')?.value;
  const loop = looping === true ? -1 : fields.number('loop');
  return { volume: fields.number('volume'), muted: fields.flag('muted'), seek: fields.number('seek'), loop: loop === 0 ? 1 : loop };
}

function parseSource(fields: Fields, context: ElementContext): string {
  const src = fields.string('src');
  const reason = context.checkUrl(src);
  return reason === undefined ? src : fail(fields.pathOf('src'), `src is refused: ${reason}.`);
}
