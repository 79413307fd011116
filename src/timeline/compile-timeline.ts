import { AppError } from '../errors/index.js';
import type { AudioElement, Color, Element, ImageElement, Movie, ResolvedDurations, Scene, TextElement, VideoElement } from '../movie/index.js';
import { encodeSettings } from './encode-settings.js';
import { pictureMotion } from './motion.js';
import { pictureBox, textBox } from './placement.js';
import type { AudioClip, Clip, EncodeSettings, Keyframe, MediaRange, PieceMotion, Rect, Section, Source, Timeline } from './timeline.js';

/** A local media file and what probing it said. */
export interface MediaFile {
  path: string;
  /** As shown, in square pixels; 0 without picture. */
  width: number;
  height: number;
  /** Seconds; 0 for stills. */
  durationSeconds: number;
  hasAudio: boolean;
}

/** One bitmap of a text element; x and y count from the text box's top left corner, in canvas pixels. */
export interface TextPiece extends Rect {
  path: string;
  /** Curves over frames from the element's start. */
  opacity?: Keyframe[];
  shiftX?: Keyframe[];
  shiftY?: Keyframe[];
  scaleX?: Keyframe[];
  scaleY?: Keyframe[];
  /** What it stretches about, in fractions of the piece. */
  anchor?: { x: number; y: number };
  /** Window through which it is seen, where x and y count from. */
  clip?: Rect;
}

export interface CompileInput {
  movie: Movie;
  /** Frames of every scene and element, with the media's own lengths known. */
  durations: ResolvedDurations;
  /** By element path. */
  media: ReadonlyMap<string, MediaFile>;
  text: ReadonlyMap<string, readonly TextPiece[]>;
  encode?: Partial<EncodeSettings>;
}

interface Span {
  startFrame: number;
  frames: number;
}

/** Resolves everything that is still open in a movie: positions, sizes and motion in canvas pixels, times in integer frames, files by index. */
export function compileTimeline(input: CompileInput): Timeline {
  return new Compiler(input).compile();
}

class Compiler {
  readonly #input: CompileInput;
  readonly #fps: number;
  readonly #sources: Source[] = [];
  readonly #sourceIndex = new Map<string, number>();
  readonly #audio: AudioClip[] = [];

  constructor(input: CompileInput) {
    this.#input = input;
    this.#fps = input.movie.fps.num / input.movie.fps.den;
  }

  compile(): Timeline {
    const { movie, durations } = this.#input;
    const sections = movie.scenes.map((scene, index) => this.#section(scene, index));
    const overlays = movie.elements.map((element, index) => ({ element, span: spanOf(durations.elements, index) }));
    const under = this.#clips(
      overlays.filter(({ element }) => zIndexOf(element) < 0),
      0,
    );
    const over = this.#clips(
      overlays.filter(({ element }) => zIndexOf(element) >= 0),
      0,
    );
    return {
      version: 1,
      canvas: { width: movie.width, height: movie.height, fps: movie.fps, frames: durations.totalFrames },
      sources: this.#sources,
      under,
      sections,
      over,
      audio: this.#audio,
      encode: encodeSettings(movie.quality, this.#input.encode),
    };
  }

  #section(scene: Scene, index: number): Section {
    const resolved = this.#input.durations.scenes[index];
    if (resolved === undefined) throw new Error(`no durations for ${scene.path}`);
    const placed = scene.elements.map((element, k) => ({ element, span: spanOf(resolved.elements, k) }));
    const section: Section = {
      label: `scene_${index + 1}`,
      start: resolved.startFrame,
      frames: resolved.frames,
      background: colorText(scene.background),
      clips: this.#clips(placed, resolved.startFrame),
    };
    // Nothing stands before the first scene that it could come out of.
    if (scene.transition !== undefined && index > 0) {
      const frames = Math.min(Math.round(scene.transition.duration * this.#fps), resolved.frames);
      if (frames > 0) section.transition = { style: scene.transition.style, frames };
    }
    return section;
  }

  #clips(placed: Array<{ element: Element; span: Span }>, containerStart: number): Clip[] {
    const inDrawOrder = [...placed].sort((a, b) => zIndexOf(a.element) - zIndexOf(b.element));
    const clips: Clip[] = [];
    for (const { element, span } of inDrawOrder) {
      if (span.frames < 1) continue;
      clips.push(...this.#visualClips(element, span));
      this.#addSound(element, span, containerStart);
    }
    return clips;
  }

  #visualClips(element: Element, span: Span): Clip[] {
    switch (element.type) {
      case 'text':
        return this.#textClips(element, span);
      case 'image':
      case 'video':
        return [this.#pictureClip(element, span)];
      case 'audio':
        return [];
    }
  }

  #textClips(element: TextElement, span: Span): Clip[] {
    const box = textBox(element, this.#input.movie);
    // Text is never cut by its own box, so the window of a zoom or pan is left out.
    const { clip: _window, ...motion } = pictureMotion(element, box, span.frames, this.#fps);
    return (this.#input.text.get(element.path) ?? []).map((piece) => {
      const at = pieceBox(piece, box, element);
      const clip: Clip = {
        source: this.#source('sprite', piece.path, element.path),
        ...timing(span),
        box: at,
        ...motion,
        ...this.#fades(element),
      };
      if (Object.keys(motion).length > 0) clip.anchor = anchorOnPiece(motion.anchor ?? { x: 0.5, y: 0.5 }, box, at);
      if (piece.opacity !== undefined) clip.opacity = piece.opacity.map((key) => ({ ...key, value: key.value * element.opacity }));
      else if (element.opacity !== 1) clip.opacity = element.opacity;
      const own = pieceMotion(piece, element);
      if (own !== undefined) clip.piece = own;
      // A window stands still on the canvas, so it cannot go with an element that moves.
      if (piece.clip !== undefined && Object.keys(motion).length === 0) clip.clip = pieceBox(piece.clip, box, element);
      if (element.flipHorizontal) clip.flipX = true;
      if (element.flipVertical) clip.flipY = true;
      return clip;
    });
  }

  #pictureClip(element: ImageElement | VideoElement, span: Span): Clip {
    const file = this.#media(element);
    if (file.width <= 0 || file.height <= 0) {
      throw new AppError('RENDER_FAILED', { message: `${element.path}: the file has no picture that could be drawn.` });
    }
    const crop = element.crop === undefined ? undefined : cropFractions(element.crop, file, element.path);
    const natural = crop === undefined ? file : { width: crop.width * file.width, height: crop.height * file.height };
    const box = pictureBox(element, natural, this.#input.movie);
    const clip: Clip = {
      source: this.#source(element.type, file.path, element.path),
      ...timing(span),
      box,
      ...pictureMotion(element, box, span.frames, this.#fps),
      ...this.#fades(element),
    };
    if (crop !== undefined) clip.crop = crop;
    if (element.opacity !== 1) clip.opacity = element.opacity;
    if (element.flipHorizontal) clip.flipX = true;
    if (element.flipVertical) clip.flipY = true;
    if (element.type === 'video') clip.media = mediaRange(element, file);
    return clip;
  }

  #addSound(element: Element, span: Span, containerStart: number): void {
    if (element.type !== 'audio' && element.type !== 'video') return;
    const file = this.#media(element);
    if (element.type === 'audio' && !file.hasAudio) {
      throw new AppError('RENDER_FAILED', { message: `${element.path}: the file has no sound that could be played.` });
    }
    if (element.muted || element.volume === 0 || !file.hasAudio) return;
    this.#audio.push({
      source: this.#source(element.type, file.path, element.path),
      start: containerStart + span.startFrame,
      frames: span.frames,
      gain: element.volume,
      ...this.#fades(element),
      media: mediaRange(element, file),
    });
  }

  #fades(element: Element): { fadeIn?: number; fadeOut?: number } {
    const fadeIn = Math.round(element.fadeIn * this.#fps);
    const fadeOut = Math.round(element.fadeOut * this.#fps);
    return { ...(fadeIn > 0 ? { fadeIn } : {}), ...(fadeOut > 0 ? { fadeOut } : {}) };
  }

  #media(element: ImageElement | VideoElement | AudioElement): MediaFile {
    const file = this.#input.media.get(element.path);
    if (file === undefined) throw new Error(`no media for ${element.path}`);
    return file;
  }

  /** Elements that use the same file share one source. */
  #source(kind: Source['kind'], path: string, label: string): number {
    const key = `${kind} ${path}`;
    const known = this.#sourceIndex.get(key);
    if (known !== undefined) return known;
    this.#sources.push({ kind, path, label });
    this.#sourceIndex.set(key, this.#sources.length - 1);
    return this.#sources.length - 1;
  }
}

function timing(span: Span): { start: number; frames: number } {
  return { start: span.startFrame, frames: span.frames };
}

function spanOf(spans: readonly Span[], index: number): Span {
  const span = spans[index];
  if (span === undefined) throw new Error(`no durations for element ${index}`);
  return span;
}

/** Where a piece lies on the canvas; a flipped element's pieces change sides. */
function pieceBox(piece: Rect, box: Rect, element: TextElement): Rect {
  const x = element.flipHorizontal ? box.width - piece.x - piece.width : piece.x;
  const y = element.flipVertical ? box.height - piece.y - piece.height : piece.y;
  return { x: box.x + x, y: box.y + y, width: piece.width, height: piece.height };
}

/** What a piece does within its element; in a flipped element it does that the other way round. */
function pieceMotion(piece: TextPiece, element: TextElement): PieceMotion | undefined {
  const { shiftX, shiftY, scaleX, scaleY, anchor } = piece;
  if (!shiftX && !shiftY && !scaleX && !scaleY) return undefined;
  const { flipHorizontal, flipVertical } = element;
  const turned = (curve: Keyframe[], flip: boolean) => (flip ? curve.map((key) => ({ ...key, value: -key.value })) : curve);
  return {
    ...(anchor && { anchor: { x: flipHorizontal ? 1 - anchor.x : anchor.x, y: flipVertical ? 1 - anchor.y : anchor.y } }),
    ...(shiftX && { x: turned(shiftX, flipHorizontal) }),
    ...(shiftY && { y: turned(shiftY, flipVertical) }),
    ...(scaleX && { scaleX }),
    ...(scaleY && { scaleY }),
  };
}

/** All pieces turn and grow about the same point of the text box. */
function anchorOnPiece(anchor: { x: number; y: number }, box: Rect, at: Rect): { x: number; y: number } {
  return {
    x: (box.x + box.width * anchor.x - at.x) / at.width,
    y: (box.y + box.height * anchor.y - at.y) / at.height,
  };
}

function zIndexOf(element: Element): number {
  return element.type === 'audio' ? 0 : element.zIndex;
}

function mediaRange(element: VideoElement | AudioElement, file: MediaFile): MediaRange {
  const from = element.seek < 0 ? Math.max(0, file.durationSeconds + element.seek) : element.seek;
  return { in: from, ...(element.loop === 1 ? {} : { loops: element.loop === 0 ? 1 : element.loop }) };
}

function cropFractions(crop: Rect, file: MediaFile, path: string): Rect {
  const left = Math.max(0, crop.x);
  const top = Math.max(0, crop.y);
  const right = Math.min(file.width, crop.x + crop.width);
  const bottom = Math.min(file.height, crop.y + crop.height);
  if (right <= left || bottom <= top) {
    throw new AppError('RENDER_FAILED', { message: `${path}.crop: the rectangle lies outside the picture, which is ${file.width} × ${file.height} pixels.` });
  }
  return { x: left / file.width, y: top / file.height, width: (right - left) / file.width, height: (bottom - top) / file.height };
}

function colorText(color: Color): string {
  return `#${[color.r, color.g, color.b, color.a].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
