import { even, type ImportNotes, round, type SourceFields } from '../fields.js';
import { easings, KeyframeBuilder } from '../keyframes.js';
import { readAnimations } from './animations.js';
import { type Box, type ElementPlacement, lengthOf, percentOf, readBox, secondsOf } from './box.js';
import { blendModes, filters } from './tables.js';
import { readShape, readText } from './text.js';

/** Converts a RenderScript source: all elements at their times and positions in one scene. */
export function importCreatomate(document: Record<string, unknown>, notes: ImportNotes): object {
  const source = notes.fields(document, '');
  const width = even(source.number('width') ?? 1920);
  const height = even(source.number('height') ?? 1080);
  if (!source.has('width') || !source.has('height')) source.approximate('width', 'Creatomate uses the size of the first media; 1920 × 1080 is used instead');
  const format = source.text('output_format');
  if (format !== undefined && format !== 'mp4') source.omit('output_format', `the output is always MP4, not ${format}`);
  source.omitAll({
    snapshot_time: 'use `framewright frame` for still frames',
    snapshot_location: 'use `framewright frame` for still frames',
    emoji_style: 'emoji use the font of the host',
    render_scale: 'the output always has the size of the canvas',
    max_width: 'the output always has the size of the canvas',
    max_height: 'the output always has the size of the canvas',
  });
  const duration = secondsOf(source.raw('duration'));
  const fps = source.number('frame_rate');
  const canvas: Box = { x: 0, y: 0, width, height, start: 0, length: duration };
  return {
    width,
    height,
    // Creatomate defaults to the rate of the source media, which is unknown here.
    fps: fps ?? 30,
    ...(source.has('webhook_url') && { webhook_uri: source.text('webhook_url') }),
    scenes: [{ duration: duration ?? 'auto', background: source.text('fill_color') ?? '#000000', elements: readElements(source, { width, height }, canvas) }],
  };
}

type Canvas = ElementPlacement['canvas'];

/** Converts the elements of a composition. Elements on one track play one after the other. */
function readElements(parent: SourceFields, canvas: Canvas, inside: Box): object[] {
  const ends = new Map<number, number | undefined>();
  return parent.list('elements').flatMap((fields) => {
    const track = fields.number('track');
    const before = track === undefined ? 0 : ends.has(track) ? ends.get(track) : 0;
    const { start, length } = readTime(fields, before, inside);
    if (track !== undefined) ends.set(track, start < 0 || length === undefined ? undefined : start + length);
    return readElement({ fields, canvas, inside, start, length, keyframes: new KeyframeBuilder(length) });
  });
}

/** Start and length in seconds of the movie; start -1: after the elements before it; length undefined: that of the media. */
function readTime(fields: SourceFields, endBefore: number | undefined, inside: Box): { start: number; length: number | undefined } {
  const own = secondsOf(fields.raw('time'), inside.length);
  const duration = fields.raw('duration') === 'media' ? undefined : secondsOf(fields.raw('duration'), inside.length);
  const trim = secondsOf(fields.raw('trim_duration'));
  const overlap = fields.list('animations').find((animation) => animation.flag('transition') === true);
  const shared = overlap === undefined ? 0 : (secondsOf(overlap.raw('duration')) ?? 1);
  const length = duration ?? trim;
  if (own !== undefined) return { start: round(inside.start + own), length };
  if (endBefore === undefined) {
    fields.approximate('track', 'the length of the previous element is unknown: it starts when everything before it in the list has ended');
    return { start: -1, length };
  }
  const isFirst = endBefore === 0;
  return { start: round(isFirst ? inside.start : endBefore - shared), length };
}

const kinds: Readonly<Record<string, (place: ElementPlacement) => object>> = {
  text: readText,
  shape: readShape,
  image: (place) => ({ type: 'image', src: place.fields.text('source') ?? '', ...readFit(place) }),
  video: (place) => ({ type: 'video', ...readMedia(place), ...readFit(place) }),
  audio: (place) => ({ type: 'audio', ...readMedia(place) }),
};

function readElement(place: ElementPlacement): object[] {
  const { fields, inside, start, length, keyframes } = place;
  const type = fields.text('type') ?? '';
  fields.ignore('id', 'name', 'locked', 'dynamic', 'visible');
  if (fields.raw('visible') === false) return [];
  if (type === 'composition') return readComposition(place);
  const read = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (read === undefined) {
    fields.omit('type', `${JSON.stringify(type)} is not supported; the element is omitted`);
    for (const path of fields.unread()) fields.omit(path.slice(fields.path.length + 1), 'its element is omitted');
    return [];
  }
  const own = read(place);
  if ('src' in own && own.src === '') {
    fields.omit('source', 'missing, so the element is omitted');
    return [];
  }
  const look = type === 'audio' ? {} : readLook(place);
  const animated = type === 'audio' ? {} : readAnimations(place);
  const isMedia = type === 'video' || type === 'audio';
  const toEnd = length === undefined && !(isMedia && !fields.isNull('duration'));
  const end = inside.length === undefined || start < 0 ? -2 : Math.max(0, round(inside.start + inside.length - start));
  const duration = length ?? (toEnd ? (inside.start === 0 ? -2 : end) : -1);
  return [{ ...own, ...look, ...animated, start, duration, ...keyframes.toProperties() }];
}

/** Converts a composition to a group or, without a look and motion of its own, to its elements at its position and time. */
function readComposition(place: ElementPlacement): object[] {
  const { fields, canvas, start, length, keyframes } = place;
  const box = readBox(place);
  fields.omitAll({ loop: 'groups cannot be looped', border_radius: 'groups have no corner radius' });
  const { style: _ofTexts, ...animated } = readAnimations(place) as { style?: string };
  const moves = { ...readLook(place), ...animated, ...keyframes.toProperties() };
  const isGroup = Object.keys(moves).length > 0;
  const inside = { ...box, start: isGroup ? 0 : Math.max(0, start), length };
  if (!isGroup && start < 0) fields.approximate('time', 'the group starts with the movie, because the length of the media before it is unknown');
  const color = fields.text('fill_color');
  const fill =
    color === undefined
      ? []
      : [
          {
            type: 'text',
            text: ' ',
            x: box.x,
            y: box.y,
            width: box.width,
            height: box.height,
            start: inside.start,
            duration: length ?? -2,
            settings: filled(box, color),
          },
        ];
  const elements = [...fill, ...readElements(fields, canvas, inside)];
  return isGroup ? [{ type: 'group', ...moves, start, duration: length ?? -1, elements }] : elements;
}

function filled({ width, height }: Box, background: string): object {
  return { background, width: `${width}px`, min_height: `${height}px` };
}

function readMedia({ fields, keyframes }: ElementPlacement): object {
  const trim = secondsOf(fields.raw('trim_start'));
  const volume = percentOf(fields.raw('volume'));
  const speed = percentOf(fields.raw('speed'));
  fields.omitAll({ provider: 'use prompt to generate images and videos: docs/generation.md' });
  const [fadeIn, fadeOut] = [secondsOf(fields.raw('audio_fade_in')), secondsOf(fields.raw('audio_fade_out'))];
  if (fadeIn) keyframes.enter(fadeIn, { volume: 0 }, { volume: 1 });
  if (fadeOut) {
    keyframes.leave(fadeOut, { volume: 1 }, { volume: 0 });
    if (!keyframes.hasLength) fields.approximate('audio_fade_out', 'in the last fifth, because the length of the media is unknown');
  }
  return {
    src: fields.text('source') ?? '',
    ...(trim && { seek: trim }),
    ...(speed !== undefined && speed > 0 && speed !== 1 && { speed: Math.min(20, Math.max(0.1, speed)) }),
    ...(fields.flag('loop') === true && { loop: -1 }),
    ...(volume !== undefined && volume !== 1 && { volume }),
  };
}

/** Fits images and videos to the canvas; in a box of another aspect ratio they get its width. */
function readFit(place: ElementPlacement): object {
  const { fields, canvas, keyframes } = place;
  const fit = fields.text('fit') ?? 'cover';
  const { x, y, width, height } = readBox(place);
  if (fit === 'fill') return { x, y, width, height };
  const scale = round(width / canvas.width);
  const isCanvasShaped = Math.abs(width / height - canvas.width / canvas.height) < 0.01;
  if (isCanvasShaped) {
    if (scale !== 1) {
      keyframes.add({ time: 0, scale });
      if (fit === 'cover') fields.approximate('fit', 'exact only for media with the aspect ratio of the movie; other media is larger than its box');
    }
    const [dx, dy] = [round(x + width / 2 - canvas.width / 2), round(y + height / 2 - canvas.height / 2)];
    return { resize: fit === 'contain' ? 'contain' : 'cover', ...(dx !== 0 && { x: dx }), ...(dy !== 0 && { y: dy }) };
  }
  fields.approximate('fit', 'the width of its box, with the height by the aspect ratio: media is fitted to the canvas, not to boxes');
  return { x, y, width };
}

function readLook({ fields, keyframes, canvas }: ElementPlacement): object {
  const opacity = keyed(fields, 'opacity', percentOf, keyframes, (value) => ({ opacity: value }));
  const angle = keyed(fields, 'z_rotation', degreesOf, keyframes, (value) => ({ rotation: value }));
  const scale = keyed(fields, 'x_scale', percentOf, keyframes, (value) => ({ scale: value }));
  const other = fields.raw('y_scale');
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(fields.raw('x_scale'))) fields.approximate('y_scale', 'x_scale is used for both axes');
  if (scale !== undefined && scale !== 1) keyframes.add({ time: 0, scale });
  const radius = lengthOf(fields.raw('border_radius'), canvas.width, canvas);
  const blur = lengthOf(fields.raw('blur_radius'), canvas.width, canvas);
  const filter = fields.choice('color_filter', filters);
  const rotateX = keyed(fields, 'x_rotation', degreesOf, keyframes, (value) => ({ rotate_x: value }));
  const rotateY = keyed(fields, 'y_rotation', degreesOf, keyframes, (value) => ({ rotate_y: value }));
  const skewX = keyed(fields, 'x_skew', degreesOf, keyframes, (value) => ({ skew_x: value }));
  const skewY = keyed(fields, 'y_skew', degreesOf, keyframes, (value) => ({ skew_y: value }));
  const perspective = lengthOf(fields.raw('perspective'), canvas.width, canvas);
  const isGroup = fields.raw('type') === 'composition';
  fields.omitAll({
    color_overlay: 'use a coloured block above it',
    clip: 'boxes do not clip overflow',
    mask_mode: 'use mask with the URL of an image or video',
    aspect_ratio: 'use width and height',
    warp_mode: 'warping is not supported',
  });
  return {
    ...(opacity !== undefined && { opacity }),
    ...(angle !== undefined && angle !== 0 && { rotate: { angle } }),
    ...(fields.has('z_index') && { z_index: Math.max(-99, Math.min(99, fields.number('z_index') ?? 0)) }),
    ...(fields.has('blend_mode') && { blend_mode: fields.choice('blend_mode', blendModes) ?? 'normal' }),
    ...(rotateX && { rotate_x: rotateX }),
    ...(rotateY && { rotate_y: rotateY }),
    ...(skewX && { skew_x: skewX }),
    ...(skewY && { skew_y: skewY }),
    ...(perspective !== undefined && perspective > 0 && { perspective: round(perspective) }),
    ...readShadow(fields, canvas),
    ...(radius !== undefined && fields.raw('type') !== 'shape' && fields.raw('type') !== 'text' && !isGroup && { corner_radius: round(radius) }),
    ...(blur !== undefined && { blur: round(blur / 2) }),
    ...filter?.(percentOf(fields.raw('color_filter_value')) ?? 0),
  };
}

/** The shadow of anything but a text, which has one of its letters. */
function readShadow(fields: SourceFields, canvas: Canvas): object {
  const color = fields.text('shadow_color');
  if (color === undefined || fields.raw('type') === 'text') return {};
  const length = (name: string): number => round(lengthOf(fields.raw(name), canvas.height, canvas) ?? 0);
  return { drop_shadow: { color, blur: length('shadow_blur'), x: length('shadow_x'), y: length('shadow_y') } };
}

/** Reads a constant value and returns it, or adds the keyframes of an animated one. */
function keyed(
  fields: SourceFields,
  name: string,
  read: (value: unknown) => number | undefined,
  keyframes: KeyframeBuilder,
  at: (value: number) => object,
): number | undefined {
  const value = fields.raw(name);
  if (!Array.isArray(value)) return value === undefined ? undefined : read(value);
  for (const moment of fields.list(name)) {
    const time = moment.raw('time');
    const seconds = time === 'start' ? 0 : time === 'end' ? '100%' : (secondsOf(time) ?? 0);
    const easing = moment.choice('easing', easings, '; it is linear') ?? 'linear';
    const point = read(moment.raw('value'));
    if (point !== undefined) keyframes.add({ time: seconds as number, easing, ...at(point) });
  }
  return undefined;
}

function degreesOf(value: unknown): number | undefined {
  const degrees = Number.parseFloat(String(value));
  return Number.isNaN(degrees) ? undefined : degrees;
}
