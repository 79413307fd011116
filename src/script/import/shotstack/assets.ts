import { round, type SourceFields } from '../fields.js';
import { type Canvas, type ClipContext, colorOf, isTweenList, tweens } from './clip.js';
import { positions, titleSizes, titleStyles } from './tables.js';

/** Converts a clip's asset into an element; undefined when its type is not supported. */
export function assetElement(place: ClipContext): object | undefined {
  const { asset, clip } = place;
  const type = asset.text('type') ?? '';
  const read = Object.hasOwn(assets, type) ? assets[type] : undefined;
  if (read !== undefined) return read(place);
  asset.omit('type', `${JSON.stringify(type)} is not supported; the clip is omitted`);
  const reasons = 'its clip is omitted';
  for (const name of clip.unread()) clip.ignore(name.slice(clip.path.length + 1));
  for (const name of asset.unread()) asset.omit(name.slice(asset.path.length + 1), reasons);
  return undefined;
}

const assets: Readonly<Record<string, (place: ClipContext) => object>> = {
  video: (place) => ({ type: 'video', ...readMedia(place), ...readVolume(place, 'volumeEffect') }),
  image: ({ asset }) => {
    leaveCrop(asset);
    return { type: 'image', ...readSource(asset) };
  },
  audio: (place) => ({ type: 'audio', ...readMedia(place), ...readVolume(place, 'effect') }),
  title: readTitle,
  text: readText,
  'rich-text': readText,
  html: readHtml,
  caption: readCaption,
};

function readMedia({ asset }: ClipContext): object {
  const speed = asset.number('speed');
  if (speed !== undefined && speed > 20) asset.approximate('speed', 'at most 20 times the speed');
  leaveCrop(asset);
  const chroma = asset.object('chromaKey');
  chroma?.omitAll({ halo: 'edges are always soft' });
  const tolerance = chroma?.number('threshold');
  if (tolerance !== undefined) chroma?.approximate('threshold', 'tolerance counts from 1 to 100');
  const trim = asset.number('trim');
  return {
    ...readSource(asset),
    ...(trim !== undefined && trim !== 0 && { seek: trim }),
    ...(speed !== undefined && speed > 0 && speed !== 1 && { speed: Math.min(20, Math.max(0.1, speed)) }),
    ...(chroma && { chroma_key: { color: chroma.text('color') ?? '#00ff00', tolerance: Math.min(100, Math.max(1, Math.round((tolerance ?? 60) / 2.5))) } }),
  };
}

/** The asset's URL, or the prompt of a generated image or video. */
function readSource(asset: SourceFields): object {
  const src = asset.text('src');
  if (src !== undefined && src !== '') return { src };
  const isSeen = asset.raw('type') !== 'audio';
  return isSeen && asset.has('prompt') ? { prompt: asset.text('prompt') ?? '' } : { src: '' };
}

function leaveCrop(asset: SourceFields): void {
  if (asset.has('crop')) asset.omit('crop', 'crop is in source pixels, and the size of the media is unknown: use crop: {x, y, width, height}');
}

/** Converts audio-only fades to volume keyframes, because fade_in and fade_out also affect opacity. */
function readVolume({ asset, keyframes }: ClipContext, effectName: string): object {
  const volume = asset.raw('volume');
  if (isTweenList(volume)) keyframes.add(...tweens(asset, 'volume', (value) => ({ volume: value })));
  else if (volume !== undefined && typeof volume !== 'number') asset.omit('volume', 'a number, or a list of tweens');
  const effect = asset.text(effectName) ?? '';
  if (effect.startsWith('fadeIn')) keyframes.enter(1, { volume: 0 }, { volume: 1 });
  if (/fadeout$/i.test(effect)) {
    keyframes.leave(1, { volume: 1 }, { volume: 0 });
    if (!keyframes.hasLength) asset.approximate(effectName, 'in the last fifth, because the length of the media is unknown');
  }
  return typeof volume === 'number' && volume !== 1 ? { volume } : {};
}

/** The element's box on the canvas from its position and offset. */
function boxAt({ clip, canvas }: ClipContext, size: { width: number; height: number }, position: readonly [number, number]): object {
  const offset = clip.object('offset');
  const along = (name: 'x' | 'y'): number => {
    const value = offset?.raw(name);
    return typeof value === 'number' ? value : 0;
  };
  return {
    x: round((canvas.width - size.width) * position[0] + along('x') * canvas.width),
    y: round((canvas.height - size.height) * position[1] - along('y') * canvas.height),
    width: size.width,
    height: size.height,
  };
}

const vertical: Readonly<Record<string, string>> = { top: 'top', center: 'center', middle: 'center', bottom: 'bottom' };
const horizontal: Readonly<Record<string, string>> = { left: 'left', center: 'center', right: 'right' };

function readText(place: ClipContext): object {
  const { asset, clip, canvas } = place;
  const font = asset.object('font');
  const background = asset.object('background');
  const alignment = asset.object('alignment') ?? asset.object('align');
  const size = { width: asset.number('width') ?? canvas.width, height: asset.number('height') ?? canvas.height };
  const across = alignment?.choice('horizontal', horizontal) ?? 'center';
  const down = alignment?.choice('vertical', vertical) ?? 'center';
  const fill = background && withOpacity(background.text('color'), background.number('opacity'));
  const stroke = asset.object('stroke') ?? font?.object('stroke');
  return {
    type: 'text',
    text: asset.text('text') ?? '',
    ...boxAt(place, size, clip.choice('position', positions) ?? [0.5, 0.5]),
    ...readFont(font),
    horizontal_position: across,
    vertical_position: down,
    text_align: across,
    text_shadow: 'none',
    ...(stroke && { text_stroke: `${stroke.number('width') ?? 1}px ${colorOf(stroke.text('color') ?? '#000000')}` }),
    ...(fill && readBackground(background, fill, asset.has('width') && asset.has('height') ? size : undefined)),
  };
}

function readFont(font: SourceFields | undefined): object {
  const weight = font?.raw('weight');
  const lineHeight = font?.number('lineHeight');
  return {
    font: font?.text('family') ?? 'Open Sans',
    font_size: font?.number('size') ?? 32,
    color: withOpacity(font?.text('color') ?? '#ffffff', font?.number('opacity')),
    ...(weight !== undefined && { font_weight: typeof weight === 'number' ? weight : String(weight) }),
    ...(lineHeight !== undefined && { line_height: lineHeight }),
  };
}

/** Background of the whole box if the asset has one, otherwise of the text block. */
function readBackground(background: SourceFields | undefined, color: string, box: { width: number; height: number } | undefined): object {
  const padding = background?.number('padding');
  const radius = background?.number('borderRadius');
  return {
    background_color: color,
    ...(padding !== undefined && { padding }),
    ...(radius !== undefined && { border_radius: radius }),
    ...(box && { settings: { width: `${box.width}px`, min_height: `${box.height}px`, display: 'flex', align_items: 'center', justify_content: 'center' } }),
  };
}

function withOpacity(color: string | undefined, opacity: number | undefined): string {
  const plain = colorOf(color ?? '#000000');
  if (opacity === undefined || opacity >= 1 || !/^#[0-9a-f]{6}$/i.test(plain)) return plain;
  return `${plain}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;
}

function readTitle(place: ClipContext): object {
  const { asset, clip, canvas } = place;
  const style = asset.choice('style', titleStyles) ?? titleStyles.minimal;
  if (asset.has('style')) asset.approximate('style', 'a similar font');
  const background = asset.text('background');
  const offset = asset.object('offset');
  const at = asset.choice('position', positions) ?? clip.choice('position', positions) ?? [0.5, 0.5];
  const names = ['left', 'center', 'right'];
  const across = names[at[0] * 2] ?? 'center';
  return {
    type: 'text',
    text: asset.text('text') ?? '',
    ...style,
    ...boxAt(place, { width: round(canvas.width * 0.9), height: round(canvas.height * 0.9) }, [0.5, 0.5]),
    ...(offset && readTitleOffset(offset, canvas)),
    font_size: round((asset.choice('size', titleSizes) ?? 0.07) * canvas.height),
    color: colorOf(asset.text('color') ?? '#ffffff'),
    horizontal_position: across,
    text_align: across,
    vertical_position: ['top', 'center', 'bottom'][at[1] * 2] ?? 'center',
    text_shadow: 'none',
    ...(background !== undefined && { background_color: colorOf(background), padding: '0.2em 0.4em' }),
  };
}

function readTitleOffset(offset: SourceFields, canvas: Canvas): object {
  const x = (offset.number('x') ?? 0) * canvas.width + canvas.width * 0.05;
  return { x: round(x), y: round(canvas.height * 0.05 - (offset.number('y') ?? 0) * canvas.height) };
}

function readHtml(place: ClipContext): object {
  const { asset, clip, canvas } = place;
  const css = asset.text('css') ?? '';
  const background = asset.text('background');
  const [across, down] = asset.choice('position', positions) ?? [0.5, 0.5];
  const flex = ['flex-start', 'center', 'flex-end'];
  const size = { width: asset.number('width') ?? canvas.width, height: asset.number('height') ?? canvas.height };
  const frame = `display:flex;flex-direction:column;width:100%;height:100vh;align-items:${flex[across * 2]};justify-content:${flex[down * 2]};${background === undefined ? '' : `background:${colorOf(background)};`}`;
  return {
    type: 'html',
    html: `<style>*{margin:0}${css}</style><div style="${frame}">${asset.text('html') ?? ''}</div>`,
    ...boxAt(place, size, clip.choice('position', positions) ?? [0.5, 0.5]),
  };
}

function readCaption({ asset, clip }: ClipContext): object {
  const font = asset.object('font');
  const background = asset.object('background');
  asset.omitAll({ trim: 'captions start with their clip', speed: 'captions have their own times', margin: 'use settings.offset_y' });
  clip.omitAll({ fit: 'captions cover the whole canvas', scale: 'captions cover the whole canvas', position: 'use settings.position' });
  const color = colorOf(font?.text('color') ?? '#ffffff');
  const fill = background && withOpacity(background.text('color'), background.number('opacity'));
  const stroke = font?.text('stroke');
  background?.omitAll({ padding: 'fixed for boxes', borderRadius: 'fixed for boxes' });
  font?.omitAll({ lineHeight: 'the line height is fixed', opacity: 'use a colour with alpha' });
  return {
    type: 'subtitles',
    captions: asset.text('src') ?? '',
    settings: {
      ...(fill === undefined ? { style: 'classic' } : { style: 'boxed-line', box_color: fill }),
      line_color: color,
      word_color: color,
      ...(font?.has('family') && { font_family: font.text('family') }),
      ...(font?.has('size') && { font_size: font.number('size') }),
      ...(stroke !== undefined && { outline_color: colorOf(stroke), outline_width: font?.number('strokeWidth') ?? 1 }),
    },
  };
}
