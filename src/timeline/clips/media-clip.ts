import { AppError } from '../../errors/index.js';
import type { AudiogramElement, HtmlElement, ImageElement, Movie, VideoElement, Visual } from '../../script/index.js';
import type { MediaFile, PageFile } from '../media-file.js';
import { animationRange, mediaRange } from '../media-range.js';
import { elementMotion, elementOpacity, maxScale } from '../motion.js';
import { areaBox, extendPastEdges, mediaBox } from '../placement.js';
import type { Sources } from '../sources.js';
import type { Clip, MediaRange, Rect } from '../timeline.js';
import { formatColor, pixelEffects } from './effects.js';
import { clipTiming, fadeFrames, type Span } from './span.js';

/** What clips are made in. */
export interface ClipContext {
  movie: Movie;
  fps: number;
  sources: Sources;
  /** Masks by element path. */
  masks: ReadonlyMap<string, MediaFile>;
}

export function mediaClip(element: ImageElement | VideoElement, file: MediaFile, span: Span, context: ClipContext): Clip {
  if (file.width <= 0 || file.height <= 0) {
    throw new AppError('RENDER_FAILED', { message: `${element.path}: the file has no picture that could be drawn.` });
  }
  const { crop, natural } = croppedSize(element, file);
  const box = extendPastEdges(mediaBox(element, natural, context.movie), element, context.movie);
  return {
    source: context.sources.use(sourceKind(file), file.path, element.path),
    ...clipBase(element, box, span, context),
    ...(crop === undefined ? {} : { crop }),
    ...optionalMedia(element.type === 'video' ? mediaRange(element, file) : defaultMediaRange(file)),
  };
}

/** Pixels of the canvas to one of the file's own, where the picture is shown largest. */
export function maxDisplayScale(element: ImageElement, file: MediaFile, movie: Movie): number {
  const { natural } = croppedSize(element, file);
  const box = extendPastEdges(mediaBox(element, natural, movie), element, movie);
  return Math.max(box.width / natural.width, box.height / natural.height) * maxScale(element);
}

/** What the element's crop leaves of the file's picture. */
function croppedSize(element: ImageElement | VideoElement, file: MediaFile): { crop: Rect | undefined; natural: { width: number; height: number } } {
  const crop = element.crop === undefined ? undefined : cropFractions(element.crop, file, element.path);
  return { crop, natural: crop === undefined ? file : { width: crop.width * file.width, height: crop.height * file.height } };
}

/** A page is as large as its box was when it was drawn. */
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

export function waveformClip(element: AudiogramElement, span: Span, context: ClipContext): Clip {
  const box = areaBox(element, context.movie);
  return {
    waveform: { color: formatColor(element.color), amplitude: element.amplitude },
    ...clipBase(element, box, span, context),
    ...(element.crop === undefined ? {} : { clip: cropWindow(element.crop, box) }),
  };
}

/** Everything about a clip but what it shows. */
function clipBase(element: Visual, box: Rect, span: Span, context: ClipContext): Omit<Clip, 'source'> {
  const { fps } = context;
  const opacity = elementOpacity(element, span.frames, fps);
  return {
    ...clipTiming(span),
    box,
    ...elementMotion(element, box, span.frames, fps),
    ...fadeFrames(element, fps),
    ...pixelEffects(element),
    ...maskOf(element, context),
    ...(opacity === undefined ? {} : { opacity }),
    ...(element.cornerRadius === 0 ? {} : { cornerRadius: element.cornerRadius }),
  };
}

/** Over the clip's box, or of an element drawn in parts over the part's place in it. */
export function maskOf(element: Visual, { masks, sources }: ClipContext, region?: Rect): Pick<Clip, 'mask'> {
  const file = masks.get(element.path);
  if (file === undefined) return {};
  const source = sources.use(sourceKind(file), file.path, `${element.path}.mask`);
  return { mask: { source, ...optionalMedia(defaultMediaRange(file)), ...(region === undefined ? {} : { region }) } };
}

function sourceKind(file: MediaFile): 'image' | 'animation' | 'video' {
  if (file.plays !== undefined) return 'animation';
  return file.durationSeconds > 0 ? 'video' : 'image';
}

/** Where nothing but the file says how often it plays; films do it without end. */
function defaultMediaRange({ plays, durationSeconds }: MediaFile): MediaRange | undefined {
  if (plays !== undefined) return animationRange(plays);
  return durationSeconds > 0 ? { in: 0, loops: -1 } : undefined;
}

function optionalMedia(media: MediaRange | undefined): Pick<Clip, 'media'> {
  return media === undefined ? {} : { media };
}

/** The part of a drawn element that its crop keeps, where it lies. */
export function cropWindow(crop: Rect, box: Rect): Rect {
  return { ...crop, x: box.x + crop.x, y: box.y + crop.y };
}

function cropFractions(crop: Rect, file: Pick<MediaFile, 'width' | 'height'>, path: string): Rect {
  const left = Math.max(0, crop.x);
  const top = Math.max(0, crop.y);
  const right = Math.min(file.width, crop.x + crop.width);
  const bottom = Math.min(file.height, crop.y + crop.height);
  if (right <= left || bottom <= top) {
    throw new AppError('RENDER_FAILED', { message: `${path}.crop: the rectangle lies outside the picture, which is ${file.width} × ${file.height} pixels.` });
  }
  return { x: left / file.width, y: top / file.height, width: (right - left) / file.width, height: (bottom - top) / file.height };
}
