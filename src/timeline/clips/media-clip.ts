import type { Clip, MediaRange, Rect, Timeline } from '../../contract/index.js';
import { AppError } from '../../errors/index.js';
import type { AudiogramElement, HtmlElement, ImageElement, Movie, Span, VideoElement, Visual } from '../../script/index.js';
import { animatedBlur, elementAnimation } from '../animation/element-animation.js';
import { colorCurve } from '../color-curve.js';
import { curveOf, frameOf, keyframeCurve } from '../curves.js';
import type { MediaFile, PageFile } from '../media-file.js';
import { animationRange, mediaRange } from '../media-range.js';
import { elementMotion, elementOpacity, maxScale } from '../motion.js';
import { areaBox, extendPastEdges, mediaBox } from '../placement.js';
import { Sources } from '../sources.js';
import { depthOf } from './depth.js';
import { pixelEffects } from './effects.js';
import { resized } from './resized.js';
import { clipTiming, fadeFrames } from './span.js';

/** Inputs shared by all clips of a timeline. */
export interface ClipContext {
  movie: Movie;
  fps: number;
  sources: Sources;
  /** Masks by element path. */
  masks: ReadonlyMap<string, MediaFile>;
  /** Paths of color tables by element path. */
  grades: ReadonlyMap<string, readonly string[]>;
}

/** The clip of an image or video element. Throws RENDER_FAILED when the file has no video stream or the crop lies outside it. */
export function mediaClip(element: ImageElement | VideoElement, file: MediaFile, span: Span, context: ClipContext): Clip {
  if (file.width <= 0 || file.height <= 0) {
    throw new AppError('RENDER_FAILED', { path: element.path, message: `${element.path}: the file has no image or video stream.` });
  }
  if (element.type === 'video' && element.reverse && sourceKind(file) === 'image') {
    throw new AppError('RENDER_FAILED', {
      path: `${element.path}.reverse`,
      message: `${element.path}.reverse: the file is a still image; only videos play backwards.`,
    });
  }
  const { crop, natural } = croppedSize(element, file);
  const box = extendPastEdges(mediaBox(element, natural, context.movie), element, context.movie);
  return {
    source: context.sources.use(sourceKind(file), file.path, element.path, element.type === 'video' ? element.deinterlace : 'auto'),
    ...clipBase(element, box, span, context),
    ...(movingCrop(element, file, span.frames, context.fps) ?? (crop === undefined ? {} : { crop })),
    ...optionalMedia(element.type === 'video' ? mediaRange(element, file) : defaultMediaRange(file)),
  };
}

/** A timeline of one frame: the first that the element shows of its file, without its effects. */
export function firstFrame(element: ImageElement | VideoElement, file: MediaFile, { width, height }: { width: number; height: number }): Timeline {
  const sources = new Sources();
  const { crop } = croppedSize(element, file);
  const clip = {
    source: sources.use(sourceKind(file), file.path, element.path),
    start: 0,
    frames: 1,
    box: { x: 0, y: 0, width, height },
    ...(crop === undefined ? {} : { crop }),
    ...optionalMedia(element.type === 'video' ? mediaRange(element, file) : defaultMediaRange(file)),
  };
  return {
    version: 1,
    canvas: { width, height, fps: { num: 25, den: 1 }, frames: 1 },
    sources: sources.list,
    under: [],
    sections: [{ label: element.path, start: 0, frames: 1, background: '#000000ff', clips: [clip] }],
    over: [],
    audio: [],
    encode: { encoder: 'libx264', preset: 'veryfast', crf: 23, keyframeSeconds: 5, audioBitrate: 128_000 },
  };
}

/** The largest ratio of canvas pixels to file pixels at which an image is displayed. */
export function maxDisplayScale(element: ImageElement, file: MediaFile, movie: Movie): number {
  const { natural } = croppedSize(element, file);
  const box = extendPastEdges(mediaBox(element, natural, movie), element, movie);
  const { scale = 1 } = depthOf(element, box, 1, 1)?.perspective ?? {};
  const keyed = element.keyframes.map(({ width = 0, height = 0 }) => Math.max(width / box.width, height / box.height));
  return Math.max(box.width / natural.width, box.height / natural.height) * Math.max(1, ...keyed) * maxScale(element) * scale;
}

/** The element's crop in fractions of the file, and the remaining size in pixels. */
function croppedSize(element: ImageElement | VideoElement, file: MediaFile): { crop: Rect | undefined; natural: { width: number; height: number } } {
  const crop = element.crop === undefined ? undefined : cropFractions(element.crop, file, element.path);
  return { crop, natural: crop === undefined ? file : { width: crop.width * file.width, height: crop.height * file.height } };
}

/** The crop of the keyframes; it changes what fills the element, not its size. */
function movingCrop({ keyframes, path }: ImageElement | VideoElement, file: MediaFile, frames: number, fps: number): Pick<Clip, 'crop'> | undefined {
  const crops = new Map(keyframes.flatMap((keyframe) => (keyframe.crop === undefined ? [] : [[keyframe, cropFractions(keyframe.crop, file, path)] as const])));
  if (crops.size === 0) return undefined;
  const side = (name: keyof Rect, min: number) => curveOf(keyframes, (keyframe) => crops.get(keyframe)?.[name], { min, max: 1 }, frames, fps) ?? 0;
  return { crop: { x: side('x', 0), y: side('y', 0), width: side('width', 1e-3), height: side('height', 1e-3) } };
}

/** The clip of an html element, whose page was captured at the size of its box. */
export function pageClip(element: HtmlElement, page: PageFile, span: Span, context: ClipContext): Clip {
  const area = areaBox(element, context.movie);
  const crop = element.crop === undefined ? undefined : cropFractions(element.crop, area, element.path);
  const box = crop === undefined ? area : { ...area, width: crop.width * area.width, height: crop.height * area.height };
  return {
    source: context.sources.use(page.kind, page.path, element.path),
    ...clipBase(element, box, span, context),
    ...(crop === undefined ? {} : { crop }),
    ...(page.kind === 'sequence' ? { media: { in: 0 } } : {}),
  };
}

/** The clip of an audiogram element. */
export function waveformClip(element: AudiogramElement, span: Span, context: ClipContext): Clip {
  const box = areaBox(element, context.movie);
  return {
    waveform: {
      color: colorCurve(element.keyframes, 'color', element.color, span.frames, context.fps),
      amplitude: keyframeCurve(element.keyframes, 'amplitude', span.frames, context.fps) ?? element.amplitude,
      ...(element.style !== 'bars' && { style: element.style }),
    },
    ...clipBase(element, box, span, context),
    ...(element.crop === undefined ? {} : { clip: cropWindow(element.crop, box) }),
  };
}

/** Everything about a clip except its content. */
export function clipBase(element: Visual, box: Rect, span: Span, context: ClipContext): Omit<Clip, 'source'> {
  const { fps } = context;
  const { motion, opacity: animated, blur, reveal, flip } = elementAnimation(element, box, span.frames, context);
  const opacity = elementOpacity(element, span.frames, fps, animated);
  const cornerRadius = keyframeCurve(element.keyframes, 'cornerRadius', span.frames, fps) ?? element.cornerRadius;
  return {
    ...clipTiming(span),
    box,
    ...elementMotion(element, box, span.frames, fps, motion),
    ...fadeFrames(element, fps),
    ...pixelEffects(element, span.frames, fps),
    ...animatedBlur(element, blur, span.frames, fps),
    ...gradeOf(element, span.frames, context),
    ...maskOf(element, context),
    ...resized(element, box, flip, span.frames, fps),
    ...(reveal === undefined ? {} : { reveal }),
    ...(opacity === undefined ? {} : { opacity }),
    ...(cornerRadius === 0 ? {} : { cornerRadius }),
    ...depthOf(element, box, span.frames, fps),
  };
}

/** The color tables of the element's grade, or of those of its keyframes, in their order in time. */
export function gradeOf(element: Visual, frames: number, { fps, grades, sources }: ClipContext): Pick<Clip, 'grade'> {
  const paths = grades.get(element.path);
  if (paths === undefined) return {};
  const tables = paths.map((path) => ({ source: sources.use('colorTable', path, element.path) }));
  const keyed = element.keyframes.filter(({ grade }) => grade !== undefined);
  const at = ({ time }: (typeof keyed)[number]) => frameOf(time, frames, fps);
  const order = keyed.map((keyframe, index) => ({ keyframe, table: tables[index] as (typeof tables)[number] })).sort((a, b) => at(a.keyframe) - at(b.keyframe));
  if (order.length === 0) return { grade: { tables } };
  const positionOf = (keyframe: (typeof keyed)[number]) => {
    const index = order.findIndex((one) => one.keyframe === keyframe);
    return index < 0 ? undefined : index;
  };
  const position = curveOf(element.keyframes, positionOf, { min: 0, max: order.length - 1 }, frames, fps) ?? 0;
  return { grade: { tables: order.map(({ table }) => table), position } };
}

/** The element's mask over the clip's box; `region` is the part of the mask that covers one piece of the element, in fractions. */
export function maskOf(element: Visual, { masks, sources }: ClipContext, region?: Rect): Pick<Clip, 'mask'> {
  const file = masks.get(element.path);
  if (file === undefined) return {};
  const source = sources.use(sourceKind(file), file.path, `${element.path}.mask`);
  return { mask: { source, ...optionalMedia(defaultMediaRange(file)), ...(region === undefined ? {} : { region }) } };
}

function sourceKind(file: MediaFile): 'image' | 'sequence' | 'animation' | 'video' {
  if (file.drawnAs !== undefined) return file.drawnAs;
  if (file.plays !== undefined) return 'animation';
  return file.durationSeconds > 0 ? 'video' : 'image';
}

/** Media range of a file without settings from an element: an animated image plays its own play count, a video loops. */
function defaultMediaRange({ plays, durationSeconds, drawnAs }: MediaFile): MediaRange | undefined {
  if (drawnAs !== undefined) return drawnAs === 'sequence' ? { in: 0 } : undefined;
  if (plays !== undefined) return animationRange(plays);
  return durationSeconds > 0 ? { in: 0, loops: -1 } : undefined;
}

function optionalMedia(media: MediaRange | undefined): Pick<Clip, 'media'> {
  return media === undefined ? {} : { media };
}

/** The crop rectangle of a drawn element in canvas coordinates. */
export function cropWindow(crop: Rect, box: Rect): Rect {
  return { ...crop, x: box.x + crop.x, y: box.y + crop.y };
}

function cropFractions(crop: Rect, file: Pick<MediaFile, 'width' | 'height'>, path: string): Rect {
  const left = Math.max(0, crop.x);
  const top = Math.max(0, crop.y);
  const right = Math.min(file.width, crop.x + crop.width);
  const bottom = Math.min(file.height, crop.y + crop.height);
  if (right <= left || bottom <= top) {
    throw new AppError('RENDER_FAILED', {
      path: `${path}.crop`,
      message: `${path}.crop: the rectangle must overlap the source, which is ${file.width} × ${file.height} pixels.`,
    });
  }
  return { x: left / file.width, y: top / file.height, width: (right - left) / file.width, height: (bottom - top) / file.height };
}
