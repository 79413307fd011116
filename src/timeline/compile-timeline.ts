import type { Clip, EncodeSettings, Keyframe, Section, Timeline } from '../contract/index.js';
import type { EasingFunction, Element, Movie, ResolvedDurations, Scene, SceneTransition, Span, TextElement } from '../script/index.js';
import { type AudibleClip, createAudioClip } from './audio/audio-clip.js';
import { mixClips } from './audio/mix-clips.js';
import { captionClips } from './clips/caption-clips.js';
import { groupClip } from './clips/group-clip.js';
import { type ClipContext, mediaClip, pageClip, waveformClip } from './clips/media-clip.js';
import { pieceClips } from './clips/piece-clips.js';
import { formatColor } from './color-curve.js';
import { tween } from './curves.js';
import { cutAudio } from './cut/cut-audio.js';
import { splitRange } from './cut/split-range.js';
import { needsDither } from './dither.js';
import { encodeSettings } from './encode-settings.js';
import { type EncoderName, encoderFor } from './encoders.js';
import { masteringDisplay } from './mastering-display.js';
import type { MediaFile, PageFile } from './media-file.js';
import { type MorphContext, morphSection } from './morph/morph-sections.js';
import type { Piece } from './piece.js';
import { areaBox, textBox } from './placement.js';
import { Sources } from './sources.js';

/** Everything a Timeline is compiled from. */
export interface CompileInput {
  movie: Movie;
  /** Frames of every scene and element, with the media's own lengths known. */
  durations: ResolvedDurations;
  /** Probed files of images, videos, audio and voices, by element path. */
  media: ReadonlyMap<string, MediaFile>;
  /** Drawn pieces of texts, components and subtitles, by element path. */
  pieces: ReadonlyMap<string, readonly Piece[]>;
  /** Captured pages of html elements, by element path. */
  pages?: ReadonlyMap<string, PageFile>;
  /** Files of masks and luma transitions, by the path of the element or transition. */
  masks?: ReadonlyMap<string, MediaFile>;
  /** Color table files by the path of the element they grade. */
  grades?: ReadonlyMap<string, readonly string[]>;
  /** Default: the software encoder of the movie's codec. */
  encoder?: EncoderName;
  encode?: Partial<EncodeSettings>;
  /** Whether packets of source videos may be copied without re-encoding. Default true. */
  canStreamCopy?: boolean;
  compositor?: 'auto' | 'cpu' | 'vulkan';
  interop?: 'auto' | 'copy' | 'off';
  hardwareDecode?: 'auto' | 'off' | 'on';
}

/** Each copied source may need its own SPS, and H.264 allows 32 in one stream. */
const MAX_STREAM_COPY_SOURCES = 31;

/** Compiles a movie into a Timeline: positions, sizes and motion in canvas pixels, times in integer frames, files by index. */
export function compileTimeline(input: CompileInput): Timeline {
  return new Compiler(input).compile();
}

/** The audio-only Timeline of a movie; needs no drawn pieces. Its `audio` is empty when the movie is silent. */
export function compileAudio(input: Omit<CompileInput, 'pieces' | 'pages' | 'masks' | 'grades'>): Timeline {
  return cutAudio(new Compiler({ ...input, pieces: new Map() }, 'audio').compile());
}

class Compiler {
  readonly #input: CompileInput;
  readonly #streams: 'all' | 'audio';
  readonly #fps: number;
  readonly #sources = new Sources();
  readonly #audibleClips: AudibleClip[] = [];
  /** The elements of clips outside groups. */
  readonly #elements = new WeakMap<Clip, Element>();
  readonly #context: ClipContext;

  constructor(input: CompileInput, streams: 'all' | 'audio' = 'all') {
    this.#input = input;
    this.#streams = streams;
    this.#fps = input.movie.fps.num / input.movie.fps.den;
    this.#context = { movie: input.movie, fps: this.#fps, sources: this.#sources, masks: input.masks ?? new Map(), grades: input.grades ?? new Map() };
  }

  compile(): Timeline {
    const { movie, durations } = this.#input;
    const sections = movie.scenes.map((scene, index) => this.#section(scene, index));
    const overlays = movie.elements.map((element, index) => ({ element, span: spanOf(durations.elements, index) }));
    const isUnder = ({ element }: PlacedElement): boolean => zIndexOf(outermost(element, movie.elements)) < 0;
    const under = this.#clips(overlays.filter(isUnder), 0);
    const over = this.#clips(
      overlays.filter((placed) => !isUnder(placed)),
      0,
    );
    return {
      version: 1,
      canvas: { width: movie.width, height: movie.height, fps: movie.fps, frames: durations.totalFrames },
      sources: this.#sources.list,
      under,
      sections: this.#streams === 'all' ? this.#morphed(sections) : sections,
      over,
      audio: mixClips(this.#audibleClips, sections, this.#fps),
      encode: this.#encode(),
      ...masteringDisplay(this.#input),
      ...(needsDither({ sources: this.#sources.list, under, sections, over }) && { dither: true }),
      ...(this.#input.compositor && { compositor: this.#input.compositor }),
      ...(this.#input.interop && { handover: this.#input.interop }),
      ...(this.#input.hardwareDecode && { hardwareDecode: this.#input.hardwareDecode }),
    };
  }

  #encode(): EncodeSettings {
    const { movie, durations, encoder = encoderFor(movie.codec, 'software'), canStreamCopy = true, encode } = this.#input;
    const settings = encodeSettings(movie, encoder, encode);
    const videoCount = this.#sources.list.filter(({ kind }) => kind === 'video').length;
    const copy = canStreamCopy && encoder === 'libx264' && videoCount > 0 && videoCount <= MAX_STREAM_COPY_SOURCES;
    if (!copy || encode?.copy === false) return settings;
    const all = { first: 0, end: durations.totalFrames };
    const isOneSegment = movie.scenes.length === 1 && splitRange(all, { canvas: { ...movie, frames: all.end }, encode: settings }).length === 1;
    return { ...settings, copy, ...(isOneSegment && { copyColors: true }) };
  }

  #section(scene: Scene, index: number): Section {
    const resolved = this.#input.durations.scenes[index];
    if (resolved === undefined) throw new Error(`no durations for ${scene.path}`);
    const placed = scene.elements.map((element, k) => ({ element, span: spanOf(resolved.elements, k) }));
    const section: Section = {
      label: `scene_${index + 1}`,
      start: resolved.startFrame,
      frames: resolved.frames,
      background: formatColor(scene.background),
      clips: this.#clips(placed, resolved.startFrame, index),
    };
    // The first scene has no previous scene to transition from.
    if (scene.transition !== undefined && index > 0) {
      const frames = Math.min(Math.round(scene.transition.duration * this.#fps), resolved.frames);
      if (frames > 0) section.transition = this.#transition(scene, scene.transition, frames);
    }
    return section;
  }

  #transition(scene: Scene, { style, easing, luma }: SceneTransition, frames: number): NonNullable<Section['transition']> {
    return {
      style,
      frames,
      ...(easing !== undefined && { progress: transitionProgress(easing, frames) }),
      ...(luma !== undefined && { luma: { source: this.#lumaSource(scene), softness: luma.softness, invert: luma.invert } }),
    };
  }

  /** Replaces the transitions `morph`, which are no transition of the engine. */
  #morphed(sections: readonly Section[]): Section[] {
    const { movie, media } = this.#input;
    const seconds = new Map([...media.values()].map(({ path, durationSeconds }) => [path, durationSeconds]));
    const context: MorphContext = {
      canvas: { width: movie.width, height: movie.height },
      fps: this.#fps,
      secondsOf: (source) => seconds.get(this.#sources.list[source]?.path ?? '') ?? 0,
      elementOf: (clip) => this.#elements.get(clip),
    };
    return sections.map((section, index) => {
      const before = sections[index - 1];
      const transition = movie.scenes[index]?.transition;
      if (before === undefined || transition?.style !== 'morph') return section;
      return morphSection(section, before, transition.easing ?? 'linear', context);
    });
  }

  #lumaSource({ path }: Scene): number {
    const file = this.#input.masks?.get(`${path}.transition`);
    // Timelines of audio alone are compiled without masks.
    return this.#sources.use('luma', file?.path ?? '', `${path}.transition.src`);
  }

  #clips(placed: readonly PlacedElement[], containerStart: number, scene?: number): Clip[] {
    const inDrawOrder = placed.filter(({ span }) => span.frames >= 1).sort((a, b) => zIndexOf(a.element) - zIndexOf(b.element));
    return this.#layers({ inDrawOrder, containerStart, scene });
  }

  /** The clips of the elements of a group, or of those outside groups; their sounds are added. */
  #layers(container: Container, group?: string): Clip[] {
    const clips: Clip[] = [];
    const captions: Clip[] = [];
    for (const { element, span } of container.inDrawOrder) {
      if (element.group !== group) continue;
      const own = this.#visualClips(element, span, container);
      // Subtitles are drawn on top of everything else.
      (element.type === 'subtitles' ? captions : clips).push(...own);
      if (group === undefined) for (const clip of own) this.#elements.set(clip, element);
      this.#addSound(element, span, container);
    }
    return clips.concat(captions);
  }

  #visualClips(element: Element, span: Span, container: Container): Clip[] {
    const { movie } = this.#input;
    if (element.type === 'group') {
      const members = this.#layers(container, element.path);
      return this.#streams === 'all' ? groupClip(element, members, span, this.#context) : [];
    }
    if (this.#streams === 'audio') return [];
    switch (element.type) {
      case 'text':
        return pieceClips(withoutAnimation(element), this.#pieces(element), textBox(element, movie), span, this.#context);
      case 'component':
        return pieceClips(element, this.#pieces(element), areaBox(element, movie), span, this.#context);
      case 'subtitles':
        return captionClips(element, this.#pieces(element), span, this.#context);
      case 'image':
      case 'video':
        return [mediaClip(element, this.#media(element), span, this.#context)];
      case 'html':
        return [pageClip(element, this.#page(element), span, this.#context)];
      case 'audiogram':
        return [waveformClip(element, span, this.#context)];
      case 'audio':
      case 'voice':
        return [];
    }
  }

  #addSound(element: Element, span: Span, { containerStart, scene }: Container): void {
    if (element.type !== 'audio' && element.type !== 'video' && element.type !== 'voice') return;
    const file = this.#media(element);
    const clip = createAudioClip(element, file, span, containerStart, this.#fps, this.#sources);
    if (clip !== undefined) this.#audibleClips.push({ element, file, clip, ...(scene === undefined ? {} : { scene }) });
  }

  #pieces(element: Element): readonly Piece[] {
    return this.#input.pieces.get(element.path) ?? [];
  }

  #media(element: Element): MediaFile {
    const file = this.#input.media.get(element.path);
    if (file === undefined) throw new Error(`no media for ${element.path}`);
    return file;
  }

  #page(element: Element): PageFile {
    const page = this.#input.pages?.get(element.path);
    if (page === undefined) throw new Error(`no page for ${element.path}`);
    return page;
  }
}

/** A scene, or the movie over or under its scenes. */
interface Container {
  inDrawOrder: readonly PlacedElement[];
  /** First frame in the movie. */
  containerStart: number;
  /** Index of the scene. */
  scene: number | undefined;
}

interface PlacedElement {
  element: Element;
  span: Span;
}

/** The group around all groups around an element, or the element itself. */
function outermost(element: Element, elements: readonly Element[]): Element {
  const group = element.group === undefined ? undefined : elements.find(({ path }) => path === element.group);
  return group === undefined ? element : outermost(group, elements);
}

/** The eased progress of a transition; the engine limits what the named easings overshoot. */
function transitionProgress(easing: EasingFunction, frames: number): Keyframe[] {
  return tween({ frame: 0, value: 0 }, { frame: frames, value: 1 }, easing, { min: 0, max: 1 });
}

/** A text whose pieces already have the motion of its `animate`. */
function withoutAnimation({ animate: _, ...element }: TextElement): TextElement {
  return element;
}

function spanOf(spans: readonly Span[], index: number): Span {
  const span = spans[index];
  if (span === undefined) throw new Error(`no durations for element ${index}`);
  return span;
}

function zIndexOf(element: Element): number {
  return 'zIndex' in element ? element.zIndex : 0;
}
