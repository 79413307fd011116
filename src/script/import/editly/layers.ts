import type { SourceFields } from '../fields.js';
import { positions } from './tables.js';

/** The clip that a layer belongs to. */
export interface LayerContext {
  canvas: { width: number; height: number };
  /** Length of the clip in seconds, if known. */
  seconds: number | undefined;
  /** Whether the audio of videos is kept; editly mutes it by default. */
  keepsSound: boolean;
  /** Background of the scene; set by a layer that fills it. */
  background: string | undefined;
}

type ReadLayer = (layer: SourceFields, place: LayerContext) => object[];

/** Converters by layer type. Later layers are drawn on top, as in a script. */
export const layerReaders: Readonly<Record<string, ReadLayer>> = {
  video: readVideo,
  image: (layer) => fitted(layer, { type: 'image', src: layer.text('path') ?? '', ...kenBurns(layer, 'in', 0.1) }),
  'image-overlay': readOverlay,
  audio: (layer, place) => [{ type: 'audio', ...readSound(layer), ...readCut(layer, place) }],
  'detached-audio': (layer) => {
    const [from, to] = [layer.number('cutFrom') ?? 0, layer.number('cutTo')];
    layer.approximate('type', 'it ends with its scene; use movie-level elements for longer audio');
    return [{ type: 'audio', ...readSound(layer), duration: to === undefined ? -1 : to - from }];
  },
  title: (layer, place) => [{ ...title(layer, place), ...kenBurns(layer, 'in', 0.2) }],
  subtitle: readSubtitle,
  'title-background': (layer, place) => [...readBackground(layer, place), { ...title(layer, place), ...kenBurns(layer, 'in', 0.2) }],
  'news-title': readNewsTitle,
  'slide-in-text': readSlideInText,
  'fill-color': fill,
  pause: fill,
  'linear-gradient': (layer, place) => gradient(layer, place, (colors) => `linear-gradient(135deg, ${colors})`),
  'radial-gradient': (layer, place) => gradient(layer, place, (colors) => `radial-gradient(circle, ${colors})`),
  'rainbow-colors': (layer, place) => {
    layer.approximate('type', 'a static gradient');
    return [block(place, 'linear-gradient(90deg, #ff004c, #ff9a00, #f7ff00, #00ff6a, #00c3ff, #8400ff)')];
  },
};

function readSound(layer: SourceFields): object {
  const from = layer.number('cutFrom');
  return { src: layer.text('path') ?? '', ...(from && { seek: from }), ...volumeOf(layer, 'mixVolume') };
}

/** editly changes the speed of a cut to fit the clip; here it ends early or is cut. */
function readCut(layer: SourceFields, { seconds }: LayerContext): { duration?: number } {
  const [from, to] = [layer.number('cutFrom') ?? 0, layer.number('cutTo')];
  if (to === undefined || seconds === undefined) return {};
  const cut = Math.round((to - from) * 1000) / 1000;
  if (Math.abs(cut - seconds) < 0.01) return {};
  layer.approximate('cutTo', 'played at normal speed, not fitted to the clip');
  return cut < seconds && cut > 0 ? { duration: cut } : {};
}

function readVideo(layer: SourceFields, place: LayerContext): object[] {
  const video = {
    type: 'video',
    ...readSound(layer),
    ...(place.keepsSound ? {} : { muted: true }),
    ...(place.seconds === undefined && { duration: -1 }),
    ...readCut(layer, place),
  };
  if (layer.has('fabricImagePostProcessing')) layer.omit('fabricImagePostProcessing', 'it is JavaScript code');
  const [width, height] = [layer.number('width') ?? 1, layer.number('height') ?? 1];
  const [left, top] = [layer.number('left') ?? 0, layer.number('top') ?? 0];
  const [originX, originY] = [layer.text('originX') ?? 'left', layer.text('originY') ?? 'top'];
  if (width === 1 && height === 1 && left === 0 && top === 0) return fitted(layer, video);
  const { canvas } = place;
  const mode = layer.text('resizeMode') ?? 'contain-blur';
  if (mode !== 'stretch') layer.approximate(layer.has('resizeMode') ? 'resizeMode' : 'width', 'the width of its box, with the height by the aspect ratio');
  const [w, h] = [Math.round(width * canvas.width), Math.round(height * canvas.height)];
  const shift = (origin: string, low: string, high: string, size: number): number => (origin === low ? 0 : origin === high ? size : size / 2);
  return [
    {
      ...video,
      x: Math.round(left * canvas.width - shift(originX, 'left', 'right', w)),
      y: Math.round(top * canvas.height - shift(originY, 'top', 'bottom', h)),
      width: w,
      ...(mode === 'stretch' && { height: h }),
    },
  ];
}

/** Fits media to the canvas; `contain-blur` draws it twice, blurred and cropped behind. */
function fitted(layer: SourceFields, media: object): object[] {
  const mode = layer.text('resizeMode') ?? 'contain-blur';
  if (mode === 'cover') return [{ ...media, resize: 'cover' }];
  if (mode === 'contain') return [{ ...media, resize: 'contain' }];
  if (mode === 'stretch') return [{ ...media, x: 0, y: 0, width: '100%', height: '100%' }];
  if (mode !== 'contain-blur') layer.omit('resizeMode', `${JSON.stringify(mode)} is not supported`);
  const isVideo = (media as { type?: string }).type === 'video';
  return [
    { ...media, resize: 'cover', blur: 30, ...(isVideo && { muted: true }) },
    { ...media, resize: 'contain' },
  ];
}

/** Ken Burns effect: a slow zoom or pan. */
function kenBurns(layer: SourceFields, usual: string | undefined, usualAmount: number): object {
  const direction = layer.isNull('zoomDirection') ? undefined : (layer.text('zoomDirection') ?? usual);
  const amount = layer.number('zoomAmount') ?? usualAmount;
  layer.ignore('zoomDirection');
  const zoom = Math.min(10, Math.max(1, Math.round(amount * 10)));
  if (direction === 'in') return { zoom };
  if (direction === 'out') return { zoom: -zoom };
  if (direction === 'left' || direction === 'right') return { pan: direction, pan_distance: Math.min(0.5, Math.max(0.01, amount)) };
  return {};
}

function readOverlay(layer: SourceFields, place: LayerContext): object[] {
  const { canvas } = place;
  const [width, height] = [layer.number('width'), layer.number('height')];
  const size = {
    ...(width !== undefined && { width: Math.round(width * canvas.width) }),
    ...(height !== undefined && { height: Math.round(height * canvas.height) }),
  };
  const overlay = { type: 'image', src: layer.text('path') ?? '', ...size, ...kenBurns(layer, undefined, 0.1) };
  const point = layer.has('position') && typeof layer.raw('position') === 'object' ? layer.object('position') : undefined;
  if (point === undefined) {
    const [across, down] = layer.choice('position', positions) ?? ['center', 'center'];
    return [{ ...overlay, position: `${down}-${across}` }];
  }
  const [x, y] = [(point.number('x') ?? 0) * canvas.width, (point.number('y') ?? 0) * canvas.height];
  const shift = (name: string, low: string, high: string, side: number | undefined): number => {
    const origin = point.text(name) ?? low;
    if (origin === low) return 0;
    if (side === undefined) point.approximate(name, 'the size of the image is unknown: set width and height');
    return (side ?? 0) * (origin === high ? 1 : 0.5);
  };
  const moved = [x - shift('originX', 'left', 'right', size.width), y - shift('originY', 'top', 'bottom', size.height)].map(Math.round);
  return [{ ...overlay, x: moved[0], y: moved[1] }];
}

/** A text in a box of the canvas, at one of the nine places. */
function textAt(layer: SourceFields, place: LayerContext, usual: readonly [string, string]): object {
  const { canvas } = place;
  const point = layer.has('position') && typeof layer.raw('position') === 'object' ? layer.object('position') : undefined;
  const font = layer.text('fontPath');
  if (font !== undefined && !/^https?:/.test(font)) layer.omit('fontPath', 'fonts are family names or URLs of font files');
  layer.omitAll({ fontFamily: 'fonts are family names or URLs of font files: use font' });
  const own = {
    text: layer.text('text') ?? '',
    color: layer.text('textColor') ?? '#ffffff',
    text_shadow: 'none',
    font: font?.startsWith('http') ? font : 'Inter',
  };
  if (point === undefined) {
    const [across, down] = layer.choice('position', positions) ?? usual;
    return { ...own, width: '90%', height: '90%', position: 'center-center', horizontal_position: across, vertical_position: down, text_align: across };
  }
  const [originX, originY] = [point.text('originX') ?? 'left', point.text('originY') ?? 'top'];
  const [x, y] = [(point.number('x') ?? 0) * canvas.width, (point.number('y') ?? 0) * canvas.height];
  const from = (origin: string, low: string, high: string, at: number, whole: number): number =>
    Math.round(origin === low ? at : origin === high ? at - whole : at - whole / 2);
  return {
    ...own,
    x: from(originX, 'left', 'right', x, canvas.width),
    y: from(originY, 'top', 'bottom', y, canvas.height),
    width: canvas.width,
    height: canvas.height,
    horizontal_position: originX,
    vertical_position: originY,
    text_align: originX,
  };
}

const shortSide = ({ canvas }: LayerContext): number => Math.min(canvas.width, canvas.height);

function title(layer: SourceFields, place: LayerContext): object {
  return { type: 'text', ...textAt(layer, place, ['center', 'center']), font_size: Math.round(shortSide(place) * 0.1), line_height: 1.16 };
}

function readSubtitle(layer: SourceFields, place: LayerContext): object[] {
  const size = Math.round(shortSide(place) / 20);
  const background = layer.text('backgroundColor') ?? 'rgba(0, 0, 0, 0.3)';
  layer.omitAll({ delay: 'use start', speed: 'use fade_in' });
  const { x: _, ...text } = textAt(layer, place, ['left', 'bottom']) as Record<string, unknown>;
  const box = { position: 'custom', x: 0, y: 0, width: '100%', height: '100%', horizontal_position: 'left', vertical_position: 'bottom', text_align: 'left' };
  const settings = { width: `${place.canvas.width}px` };
  return [{ type: 'text', ...text, ...box, font_size: size, background_color: background, padding: size, fade_in: 0.4, settings }];
}

function readNewsTitle(layer: SourceFields, place: LayerContext): object[] {
  const size = Math.round(shortSide(place) * 0.05);
  const background = layer.text('backgroundColor') ?? '#d02a42';
  layer.omitAll({ delay: 'use start', speed: 'use keyframes' });
  const text = textAt(layer, place, ['left', 'top']) as Record<string, unknown>;
  if (layer.has('position')) layer.approximate('position', 'news titles are placed at the top left');
  const { width, height } = place.canvas;
  return [
    {
      type: 'text',
      ...text,
      position: 'custom',
      x: 0,
      y: Math.round(height * 0.05),
      width: '100%',
      height: '95%',
      horizontal_position: 'left',
      vertical_position: 'top',
      text_align: 'left',
      font_size: size,
      background_color: background,
      padding: `${Math.round(size * 0.6)}px ${Math.round(size * 1.4)}px`,
      keyframes: [
        { time: 0, x: -width, easing: 'easeOutExpo' },
        { time: 0.8, x: 0 },
      ],
    },
  ];
}

function readSlideInText(layer: SourceFields, place: LayerContext): object[] {
  const { width } = place.canvas;
  const spacing = layer.number('charSpacing') ?? 0.1;
  const color = layer.text('color');
  layer.approximate('type', 'letters that slide in from the right one by one');
  return [
    {
      type: 'text',
      style: '006',
      ...textAt(layer, place, ['center', 'center']),
      ...(color !== undefined && { color }),
      font_size: Math.round(width * (layer.number('fontSize') ?? 0.05)),
      // editly's unit is a thousandth of the font size.
      letter_spacing: `${Math.round(spacing * width) / 1000}em`,
    },
  ];
}

function fill(layer: SourceFields, place: LayerContext): object[] {
  const color = layer.text('color');
  if (color === undefined) layer.approximate('type', 'grey: random choices are not supported');
  const paint = color ?? '#555555';
  const isWholeScene = place.background === undefined && !layer.has('start') && !layer.has('stop');
  if (!isWholeScene) return [block(place, paint)];
  place.background = paint;
  return [];
}

function gradient(layer: SourceFields, place: LayerContext, paint: (colors: string) => string): object[] {
  const colors = layer.raw('colors');
  if (!Array.isArray(colors) || colors.length < 2) {
    layer.approximate('type', 'blue: random choices are not supported');
    return [block(place, paint('#16324f, #2f6f8f'))];
  }
  return [block(place, paint(colors.map(String).join(', ')))];
}

function readBackground(layer: SourceFields, place: LayerContext): object[] {
  const background = layer.object('background');
  if (background === undefined) {
    layer.approximate('type', 'blue: random backgrounds are not supported');
    return [block(place, 'linear-gradient(135deg, #16324f, #2f6f8f)')];
  }
  return layerReaders[background.text('type') ?? '']?.(background, place) ?? [];
}

/** A block that covers the canvas. */
function block({ canvas }: LayerContext, background: string): object {
  return { type: 'text', text: ' ', x: 0, y: 0, ...canvas, settings: { background, width: `${canvas.width}px`, min_height: `${canvas.height}px` } };
}

/** Converts a volume given as a number or as a text in dB. */
export function volumeOf(fields: SourceFields, name: string): { volume?: number } {
  const value = fields.raw(name);
  if (value === undefined) return {};
  const decibels = /^\s*(-?[\d.]+)\s*dB\s*$/i.exec(String(value))?.[1];
  const volume = decibels === undefined ? Number(value) : 10 ** (Number(decibels) / 20);
  if (Number.isFinite(volume) && volume >= 0 && volume <= 10) return volume === 1 ? {} : { volume: Math.round(volume * 1000) / 1000 };
  fields.omit(name, 'volume must be from 0 to 10');
  return {};
}
