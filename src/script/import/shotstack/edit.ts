import { even, type ImportNotes, round, type SourceFields } from '../fields.js';
import { type Keyframe, KeyframeBuilder } from '../keyframes.js';
import { assetElement } from './assets.js';
import { type Canvas, type ClipContext, colorOf, tweens } from './clip.js';
import { aspectRatios, effects, filters, fits, positions, qualities, resolutions } from './tables.js';

/** Converts a Shotstack edit: all clips at their times in one scene, the first track on top. */
export function importShotstack(document: Record<string, unknown>, notes: ImportNotes): object {
  const edit = notes.fields(document, '');
  const canvas = readOutput(edit);
  const timeline = edit.object('timeline');
  const tracks = timeline?.list('tracks').map((track) => readTrack(track, canvas)) ?? [];
  const ends = tracks.flatMap(({ ends: of }) => of);
  timeline?.ignore('cache');
  for (const [index, font] of (timeline?.list('fonts') ?? []).entries()) {
    font.omit(
      'src',
      `fonts are named where they are used: font: ${JSON.stringify(font.raw('src'))} of a text instead of the family's name (font ${index + 1})`,
    );
  }
  const background = timeline?.text('background');
  edit.ignore('disk', 'id', 'name');
  return {
    ...canvas.movie,
    ...(edit.has('callback') && { webhook_uri: edit.text('callback') }),
    ...readMerge(edit),
    scenes: [
      {
        duration: ends.length === 0 || ends.includes(undefined) ? 'auto' : round(Math.max(...ends.map((end) => end ?? 0))),
        background: background === undefined ? '#000000' : colorOf(background),
        // In Shotstack the first track is on top, in a script the last element.
        elements: tracks.reverse().flatMap(({ elements }) => elements),
      },
    ],
    ...readSoundtrack(timeline?.object('soundtrack')),
  };
}

interface OutputCanvas extends Canvas {
  movie: object;
  isMuted: boolean;
}

function readOutput(edit: SourceFields): OutputCanvas {
  const output = edit.object('output');
  const resolution = output?.choice('resolution', resolutions) ?? resolutions.hd ?? [1280, 720, 25];
  const shape = output?.choice('aspectRatio', aspectRatios);
  const size = output?.object('size');
  const [width, height] = shape?.(resolution[0], resolution[1]) ?? [resolution[0], resolution[1]];
  const canvas = { width: even(size?.number('width') ?? width), height: even(size?.number('height') ?? height) };
  const format = output?.text('format');
  if (format !== undefined && format !== 'mp4') output?.omit('format', `the output is always MP4, not ${format}`);
  output?.omitAll({
    scaleTo: 'the output always has the size of the canvas',
    range: 'the whole movie is rendered',
    poster: 'use `framewright frame` for still frames',
    thumbnail: 'use `framewright frame` for still frames',
    destinations: 'use exports: docs/exports.md',
    repeat: 'only for GIF output',
  });
  const quality = output?.choice('quality', qualities) ?? 'medium';
  return { ...canvas, isMuted: output?.flag('mute') ?? false, movie: { ...canvas, fps: output?.number('fps') ?? resolution[2], quality } };
}

/** Merge fields become variables; both formats write placeholders as `{{NAME}}`. */
function readMerge(edit: SourceFields): object {
  const merge = edit.list('merge').map((field) => [field.text('find') ?? '', field.raw('replace') ?? ''] as const);
  return merge.length === 0 ? {} : { variables: Object.fromEntries(merge) };
}

function readSoundtrack(soundtrack: SourceFields | undefined): object {
  if (soundtrack === undefined) return {};
  const effect = soundtrack.text('effect');
  return {
    elements: [
      {
        type: 'audio',
        src: soundtrack.text('src') ?? '',
        duration: -2,
        volume: soundtrack.number('volume') ?? 1,
        ...(effect?.startsWith('fadeIn') && { fade_in: 1 }),
        ...(/fadeout$/i.test(effect ?? '') && { fade_out: 1 }),
      },
    ],
  };
}

function readTrack(track: SourceFields, canvas: OutputCanvas): { elements: object[]; ends: Array<number | undefined> } {
  const elements: object[] = [];
  const ends: Array<number | undefined> = [];
  let end: number | undefined = 0;
  const clips = track.list('clips');
  const mattes = clips.filter(isMatte).map(readMatte);
  for (const clip of clips.filter((one) => !isMatte(one))) {
    const start = readStart(clip, end);
    const length = readLength(clip);
    end = length === 'end' ? end : start < 0 || typeof length !== 'number' ? undefined : start + length;
    if (length !== 'end') ends.push(end);
    const element = readClip(clip, typeof length === 'number' ? length : undefined, canvas);
    if (element === undefined) continue;
    elements.push({
      ...element,
      ...('type' in element && element.type !== 'audio' && maskAt(mattes, start, end)),
      start: round(start),
      duration: length === 'end' ? -2 : length === 'auto' ? -1 : length,
    });
  }
  for (const { clip, isUsed } of mattes) if (!isUsed) clip.omit('asset', 'no clip of its track is shown with it');
  return { elements, ends };
}

/** A luma matte: a grey image or video that masks the clips of its track. */
interface Matte {
  clip: SourceFields;
  src: string;
  start: number;
  end: number;
  isUsed: boolean;
}

const isMatte = (clip: SourceFields): boolean => (clip.raw('asset') as { type?: unknown } | undefined)?.type === 'luma';

function readMatte(clip: SourceFields): Matte {
  const [start, length] = [clip.raw('start'), clip.raw('length')];
  clip.ignore('alias', 'id');
  const asset = clip.object('asset');
  asset?.ignore('type');
  const from = typeof start === 'number' ? start : 0;
  return { clip, src: asset?.text('src') ?? '', start: from, end: typeof length === 'number' ? from + length : Number.POSITIVE_INFINITY, isUsed: false };
}

/** The mask of a clip by the matte that is shown with it; its time is that of the clip. */
function maskAt(mattes: readonly Matte[], start: number, end: number | undefined): object {
  const found = mattes.find((matte) => matte.start < (end ?? Number.POSITIVE_INFINITY) && matte.end > start);
  if (found === undefined) return {};
  found.isUsed = true;
  if (found.start !== start || found.end !== (end ?? found.end)) found.clip.approximate('start', 'the mask lasts as long as the clip that it masks');
  return { mask: found.src };
}

function readStart(clip: SourceFields, endBefore: number | undefined): number {
  const start = clip.raw('start');
  if (typeof start === 'number') return start;
  if (start !== 'auto' && start !== undefined) clip.omit('start', 'a time in seconds, or auto');
  if (endBefore !== undefined) return endBefore;
  clip.approximate('start', 'the length of the previous clip is unknown: it starts when everything before it in the list has ended');
  return -1;
}

function readLength(clip: SourceFields): number | 'auto' | 'end' {
  const length = clip.raw('length');
  if (typeof length === 'number' || length === 'end') return length;
  if (length !== 'auto' && length !== undefined) clip.omit('length', 'a time in seconds, auto or end');
  return 'auto';
}

function readClip(clip: SourceFields, length: number | undefined, canvas: OutputCanvas): object | undefined {
  const asset = clip.object('asset');
  clip.ignore('alias', 'id');
  if (asset === undefined) {
    clip.omit('asset', 'missing, so the clip is omitted');
    return undefined;
  }
  const place: ClipContext = { clip, asset, canvas, length, keyframes: new KeyframeBuilder(length) };
  const isHeardAlone = asset.raw('type') === 'audio';
  const own = assetElement(place);
  if (own === undefined) return undefined;
  if ('src' in own && own.src === '' && !('prompt' in own)) {
    asset.omit('src', 'missing, so the clip is omitted');
    return undefined;
  }
  const seen = isHeardAlone ? ignoreVisuals(clip) : { ...readFit(place), ...readLook(place) };
  return {
    ...seen,
    ...own,
    ...(canvas.isMuted && ['audio', 'video'].includes(String(asset.raw('type'))) && { muted: true }),
    ...place.keyframes.toProperties(),
  };
}

function ignoreVisuals(clip: SourceFields): object {
  clip.ignore('fit', 'position', 'offset', 'scale', 'opacity', 'transition', 'effect', 'filter', 'transform');
  return {};
}

/** Fits images and videos to the canvas, scales and moves them. Other elements have their own boxes. */
function readFit({ clip, asset, canvas, keyframes }: ClipContext): object {
  const isMedia = asset.raw('type') === 'image' || asset.raw('type') === 'video';
  const scale = clip.number('scale') ?? 1;
  const fit = clip.choice('fit', fits) ?? 'cover';
  const [across, down] = clip.choice('position', positions) ?? [0.5, 0.5];
  const offset = readOffset({ clip, keyframes, canvas });
  if (!isMedia) {
    if (scale !== 1) keyframes.add({ time: 0, scale });
    if (across !== 0.5 || down !== 0.5) keyframes.add({ time: 0, x: 0, y: 0 });
    return {};
  }
  const move = {
    x: round((across - 0.5) * canvas.width * (1 - scale) + offset.x),
    y: round((down - 0.5) * canvas.height * (1 - scale) + offset.y),
  };
  const isPlaced = across !== 0.5 || down !== 0.5;
  if (isPlaced && fit !== 'stretch') clip.approximate('position', 'exact only for media with the aspect ratio of the movie');
  else if (fit === 'cover' && scale !== 1) clip.approximate('fit', 'exact only for media with the aspect ratio of the movie; other media is larger');
  if (fit === 'stretch') {
    const [width, height] = [round(canvas.width * scale), round(canvas.height * scale)];
    return { x: round((canvas.width - width) / 2 + move.x), y: round((canvas.height - height) / 2 + move.y), width, height };
  }
  if (scale !== 1) keyframes.add({ time: 0, scale });
  return { ...(fit === 'none' ? { position: 'center-center' } : { resize: fit }), ...(move.x !== 0 && { x: move.x }), ...(move.y !== 0 && { y: move.y }) };
}

/** Converts offsets from canvas fractions (right, up) to pixels (right, down). Animated offsets become keyframes. */
function readOffset({ clip, keyframes, canvas }: Pick<ClipContext, 'clip' | 'keyframes' | 'canvas'>): { x: number; y: number } {
  const offset = clip.object('offset');
  if (offset === undefined) return { x: 0, y: 0 };
  const along = (name: 'x' | 'y', length: number): number => {
    const value = offset.raw(name);
    if (typeof value === 'number') return value * length;
    keyframes.add(...tweens(offset, name, (part) => ({ [name]: round(part * length) })));
    return 0;
  };
  return { x: along('x', canvas.width), y: along('y', -canvas.height) };
}

function readLook({ clip, asset, canvas, keyframes }: ClipContext): object {
  const opacity = clip.raw('opacity');
  if (Array.isArray(opacity)) keyframes.add(...tweens(clip, 'opacity', (value) => ({ opacity: value })));
  const transform = clip.object('transform');
  const rotate = transform?.object('rotate');
  const angle = rotate?.raw('angle');
  if (rotate !== undefined && Array.isArray(angle)) keyframes.add(...tweens(rotate, 'angle', (value) => ({ rotation: value })));
  transform?.omitAll({ skew: 'skewing is not supported' });
  const flip = transform?.object('flip');
  readTransition(clip, canvas, keyframes);
  const isDrawn = asset.raw('type') !== 'caption';
  return {
    ...(typeof opacity === 'number' && { opacity }),
    ...(typeof angle === 'number' && angle !== 0 && { rotate: { angle } }),
    ...(flip?.flag('horizontal') && { flip_horizontal: true }),
    ...(flip?.flag('vertical') && { flip_vertical: true }),
    ...(isDrawn ? { ...clip.choice('effect', effects), ...clip.choice('filter', filters) } : {}),
  };
}

const transitionSeconds = (name: string): number => (name.endsWith('Slow') ? 2 : name.endsWith('Fast') ? 0.5 : 1);
const directions: Readonly<Record<string, readonly [x: number, y: number]>> = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] };

/** Converts in and out transitions to keyframes. */
function readTransition(clip: SourceFields, canvas: Canvas, keyframes: KeyframeBuilder): void {
  const transition = clip.object('transition');
  for (const side of ['in', 'out'] as const) {
    const name = transition?.text(side);
    if (transition === undefined || name === undefined || name === 'none') continue;
    const [, kind = '', way = ''] = /^([a-z]+)(Left|Right|Up|Down)?(?:Slow|Fast)?$/.exec(name) ?? [];
    const [x, y] = directions[way] ?? [0, 0];
    const away = side === 'in' ? -1 : 1;
    // A slide moves by a tenth of the canvas, a carousel by all of it.
    const part = kind === 'slide' ? 0.1 : 1;
    const moves = (kind === 'slide' || kind === 'carousel') && way !== '';
    const shift = moves ? { x: round(x * away * part * canvas.width), y: round(y * away * part * canvas.height) } : {};
    const zoom = kind === 'zoom' ? { scale: side === 'in' ? 0.5 : 2 } : {};
    const gone: Omit<Keyframe, 'time'> = { ...(kind === 'carousel' ? {} : { opacity: 0 }), ...shift, ...zoom };
    const here: Omit<Keyframe, 'time'> = { ...(kind === 'carousel' ? {} : { opacity: 1 }), ...(moves && { x: 0, y: 0 }), ...(kind === 'zoom' && { scale: 1 }) };
    const seconds = transitionSeconds(name);
    if (side === 'in') keyframes.enter(seconds, { ...gone, easing: 'easeOutQuad' }, here);
    else keyframes.leave(seconds, { ...here, easing: 'easeInQuad' }, gone);
    if (kind !== 'fade' && !moves && kind !== 'zoom') transition.approximate(side, 'a fade');
    else if (side === 'out' && !keyframes.hasLength) transition.approximate(side, 'in the last fifth, because the length of the media is unknown');
  }
}
