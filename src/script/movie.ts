/**
 * The Movie: a validated script with defaults filled in, one spelling of each property and lengths in canvas pixels. Times are
 * seconds. Natural durations and sizes of media are not resolved yet; src/timeline does that.
 */
import type { Script } from '../contract/index.js';
import type { Animate, EasingFunction, Keyframe, Varying } from './animation/index.js';
import type { SceneTransition } from './scene-transition.js';
import type { TextSpan, TextStyle, Typography } from './typography.js';
import type { Color, Sides } from './values/color-and-sides.js';
import type { Corners, Grade, ToneCurves } from './values/looks.js';

export type { Animate, AnimatedPart, Direction, EasingFunction, Keyframe, LoopAnimation, PhaseAnimation, ValueTrack, Varying } from './animation/index.js';
export type { LumaWipe, SceneTransition, TransitionStyle } from './scene-transition.js';
export type { DecorationLook, SpanBackground, SpanLook, TextSpan, TextStyle, Typography } from './typography.js';
export type { Color, Corners, Grade, Sides, ToneCurves };

/** A validated script. */
export interface Movie {
  /** Even, in pixels. */
  width: number;
  height: number;
  fps: { num: number; den: number };
  codec: Codec;
  quality: Quality;
  /** Target loudness in LUFS; absent: no loudness normalization. */
  loudness?: number;
  /** False: no cached segment or audio is reused or stored. */
  cache?: false;
  scenes: Scene[];
  /** Movie-level elements: below the scenes when zIndex < 0, else above them. */
  elements: Element[];
  /** Receives a POST when the job ends. */
  webhookUri?: string;
  /** Files to deliver; empty: one MP4 file. */
  outputs: readonly Output[];
  /** Export targets as written in the script; parsed by src/delivery/exports. */
  exports: unknown[];
  /** The client's own name for the movie. */
  id?: string;
  /** Client data returned with the job and in exports. */
  clientData?: unknown;
  /** True when times depend on unknown media durations; parse again once they are known. */
  isEstimated?: true;
}

/** File format of an output. */
export type OutputFormat = Script.Output['format'];

/** Video codec of an output; `h264`, `hevc` and `av1` as the movie's. */
export type OutputCodec = NonNullable<Script.Output['codec']>;

/** Codec of an output's sound. */
export type OutputAudioCodec = 'aac' | 'opus' | 'mp3' | 'flac' | 'pcm';

/** A file to make of the movie. */
export interface Output {
  /** Dotted path in the script, e.g. `outputs.1`. */
  path: string;
  /** Unique in the movie. */
  name: string;
  format: OutputFormat;
  /** Absent for formats that are not videos. */
  codec?: OutputCodec;
  /** Pixels, even, in the movie's aspect ratio. */
  width: number;
  height: number;
  /** At most the movie's. */
  fps: Movie['fps'];
  quality: Quality;
  /** On the codec's own scale; replaces the quality. */
  crf?: number;
  /** Bits per second; replaces the quality. */
  bitrate?: number;
  /** Whether a WebP file keeps every pixel; replaces the quality. */
  lossless?: true;
  /** Whether the file keeps the movie's transparency. */
  alpha: boolean;
  /** Colour behind transparent parts where it does not. */
  matte: Color;
  /** Absent: no sound. `bitrate` in bits per second. */
  audio?: { codec: OutputAudioCodec; channels: 1 | 2; bitrate?: number };
  /** Seconds; without `duration` to the end of the movie. Absent: all of it. */
  range?: { start: number; duration?: number };
  /** Seconds of the frame that a still shows. Absent: the middle of the movie. */
  time?: number;
  /** Maximum size of the file. */
  maxBytes?: number;
  /** Bits per sample of a video; absent: 8. */
  bitDepth?: 10;
  /** The colours of a file of 10 bits; absent: BT.709. */
  hdr?: 'hlg' | 'pq';
  /** Whether layers are blended in linear light. */
  linear?: true;
  /** Whether an MP4 file is fragmented. */
  fragmented?: true;
  /** Whether a still is a sequence of all frames, in a ZIP file. */
  sequence?: true;
  /** The sizes of a stream, the largest first; present for hls and dash. */
  ladder?: readonly LadderRung[];
  /** Seconds of a segment of a stream. */
  segmentDuration?: number;
  /** Seconds between two images of a storyboard; absent: chosen by the length of the movie. */
  interval?: number;
}

/** A size in which a stream is offered. */
export interface LadderRung {
  /** Pixels, even. */
  width: number;
  height: number;
  /** Bits per second; absent: the output's quality. */
  bitrate?: number;
}

/** Video codec of the output. */
export type Codec = NonNullable<Script.Movie['codec']>;

/** Encoding quality. */
export type Quality = NonNullable<Script.Movie['quality']>;

/** A sequential part of a movie. */
export interface Scene {
  /** Dotted path in the script, e.g. `scenes.0`. */
  path: string;
  /** Seconds; 'auto': the length of its elements. */
  duration: number | 'auto';
  background: Color;
  elements: Element[];
  /** As the movie's. */
  cache?: false;
  transition?: SceneTransition;
}

/** Anything shown or heard. */
export type Element =
  | TextElement
  | ImageElement
  | VideoElement
  | AudioElement
  | VoiceElement
  | HtmlElement
  | ComponentElement
  | AudiogramElement
  | SubtitlesElement
  | GroupElement;

/** Elements with a box on the canvas. */
export type VisualElement = Exclude<Element, AudioElement | VoiceElement | SubtitlesElement>;

/** Elements whose file is fetched from `src`. */
export type MediaElement = ImageElement | VideoElement | AudioElement;

/** Elements with audio. */
export type AudibleElement = VideoElement | AudioElement | VoiceElement;

interface ElementCommon {
  /** Dotted path in the script, e.g. `scenes.0.elements.1`; identifies the element in errors. */
  path: string;
  id?: string;
  /** Seconds from the container's start; -1: when the elements before it end. */
  start: number;
  /** Seconds; 'natural': the duration of the media or text animation; 'container': to the end of the scene or movie. */
  duration: number | 'natural' | 'container';
  /** Seconds added past the natural length. */
  extraTime: number;
  fadeIn: number;
  fadeOut: number;
  /** In ascending time. */
  keyframes: Keyframe[];
  /** Path of the group to which it belongs. A group is followed by its members in the list of elements. */
  group?: string;
  /** As Movie.cache, for the scenes that show the element and for the audio if it is audible. */
  cache?: false;
}

/** Properties of all visual elements. */
export interface Visual extends ElementCommon {
  /** -99..99; elements of equal zIndex keep script order. */
  zIndex: number;
  position: Position;
  /** Canvas pixels: the top left corner of the box for `custom`, otherwise an offset from the preset position. */
  x: number;
  y: number;
  /** Canvas pixels; -1: derived from the other side by the aspect ratio, or the natural size. */
  width: number;
  height: number;
  resize: 'cover' | 'contain' | 'none';
  /** 0..1 */
  opacity: number;
  /** -10..10; 0 none. Positive zooms in over the element's time, negative out; end scale 1 + |zoom| / 10. */
  zoom: number;
  pan?: Pan;
  /** Pan distance as a fraction of the element's size, 0.01..0.5. */
  panDistance: number;
  /** True: enlarged so that panning shows no gap. */
  panCrop: boolean;
  rotate?: { angle: number; speed: number };
  /** Degrees by which vertical and horizontal lines lean. */
  skewX: number;
  skewY: number;
  /** Fractions of the box; absent: its centre. */
  anchor?: { x: number; y: number };
  flipHorizontal: boolean;
  flipVertical: boolean;
  /** Rectangle of the source, in source pixels. */
  crop?: { x: number; y: number; width: number; height: number };
  /** URL of an image or video whose luma multiplies the element's alpha. */
  mask?: string;
  chromaKey?: ChromaKey;
  correction?: Correction;
  grade?: Grade;
  blendMode: BlendMode;
  /** Canvas pixels. */
  cornerRadius: number;
  /** Standard deviation in canvas pixels; 0 none. */
  blur: number;
  /** 0..1; 0 none. */
  sharpen: number;
  vignette?: Vignette;
  /** 0..1; 0 none. */
  grain: number;
  glow?: Glow;
  /** The first is in front. */
  dropShadows?: DropShadow[];
  /** Degrees in perspective: the top goes away. */
  rotateX: number;
  /** Degrees in perspective: the right side goes away. */
  rotateY: number;
  /** Distance of the viewer in canvas pixels. */
  perspective: number;
  /** Where the corners of the box are; excludes the other properties of perspective. */
  corners?: Corners;
  /** How long the shutter is open, in frames, 0..1; 0 none. */
  motionBlur: number;
  /** Entrance, exit and repeated motion. */
  animate?: Animate;
  /** One message for each property without effect. */
  warnings?: string[];
}

/** A blurred copy of an element's shape behind it; all lengths in canvas pixels. */
export interface DropShadow {
  color: Color;
  /** Standard deviation. */
  blur: number;
  x: number;
  y: number;
}

/** Light around an element's shape. */
export interface Glow {
  color: Color;
  /** Standard deviation in canvas pixels. */
  radius: number;
  /** 0..4 */
  intensity: number;
}

/** Parameters of FFmpeg's `eq` filter: brightness -1..1, contrast -1000..1000, gamma 0.1..10, saturation 0..3; neutral: 0, 1, 1, 1. */
export interface Correction {
  brightness: number;
  contrast: number;
  gamma: number;
  saturation: number;
}

/** Makes a colour transparent. */
export interface ChromaKey {
  /** Absent in images and videos: the colour of the screen in the first frame. */
  color?: Color;
  /** 1..100. */
  tolerance: number;
  /** 0..1; 0.5 is usual. */
  softness: number;
  /** Share of the key's light that is taken from what stays, 0..1. */
  despill: number;
  /** How far edges move inwards, 0..1. */
  choke: number;
  /** Instead of the result: what stays, or the key's light in it, as greys. */
  view: 'result' | 'matte' | 'spill';
}

/** Darkens towards the corners; shares of the distance from the centre to them. */
export interface Vignette {
  /** 0..1. */
  amount: number;
  /** What stays bright. */
  size: number;
  /** Over which it darkens. */
  softness: number;
}

/** CSS mix-blend-mode names; `add` is plus-lighter. */
export type BlendMode = NonNullable<Script.ImageElement['blend_mode']>;

/** Position preset, or `custom` for explicit x and y. */
export type Position = 'custom' | `${'top' | 'center' | 'bottom'}-${'left' | 'center' | 'right'}`;
/** Direction in which the view pans. */
export type Pan = NonNullable<Script.ImageElement['pan']>;

/** Text drawn with a style and CSS-like typography. */
export interface TextElement extends Visual {
  type: 'text';
  text: string;
  /** Parts with a look of their own, in order and without overlap. */
  spans?: TextSpan[];
  style: TextStyle;
  typography: Typography;
  /** Present if keyframes change its layout. */
  varying?: Varying<TextElement>;
}

/** An image or video generated by a provider. */
export interface Generation {
  kind: 'image' | 'video';
  prompt: string;
  aspectRatio: 'horizontal' | 'vertical' | 'squared';
  /** Absent: the operator's default. */
  model?: string;
  /** Name of the provider. */
  connection?: string;
  /** As written in the script. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

interface VisualSource {
  /** URL; for generated media the key from generationKey(). */
  src: string;
  generation?: Generation;
}

/** A still or animated image. */
export interface ImageElement extends Visual, VisualSource {
  type: 'image';
  /** Number of plays of a Lottie animation; -1: endless. Present for elements of type lottie, whose natural duration is that of the animation. */
  loop?: number;
}

/** The speed of media at a time of its element. */
export interface SpeedKeyframe {
  /** Seconds from the element's start. */
  time: number;
  /** Seconds of the media per second. */
  value: number;
  /** Easing up to the next keyframe. */
  easing: EasingFunction;
}

/** A span of an element during which its video stands still. */
export interface Freeze {
  /** Seconds from the element's start. */
  time: number;
  /** Seconds. */
  duration: number;
}

/** One filter of an equalizer. */
export interface EqualizerBand {
  type: 'low_shelf' | 'peak' | 'high_shelf' | 'high_pass' | 'low_pass';
  /** Hertz, 20..20000. */
  frequency: number;
  /** Decibels, -24..24. */
  gain: number;
  /** 0.1..10 */
  q: number;
}

/** Lowers what is louder than a threshold. */
export interface Compressor {
  /** dBFS of the peaks, -60..0. */
  threshold: number;
  /** 1..100 */
  ratio: number;
  /** Time constant in seconds, 0.0001..1. */
  attack: number;
  /** Time constant in seconds, 0.005..5. */
  release: number;
  /** Decibels, 0..24. */
  knee: number;
  /** Decibels, 0..40. */
  makeup: number;
}

/** Raises a sound and limits its peaks. */
export interface Limiter {
  /** Maximum true peak in dBTP, -40..0. */
  ceiling: number;
  /** Decibels, 0..40. */
  gain: number;
}

/** The sound of a room. */
export interface Reverb {
  /** 0..1 */
  size: number;
  /** Seconds in which it falls by 60 dB, 0.1..20. */
  decay: number;
  /** Share of the reverb, above 0 and up to 1. */
  wet: number;
  /** Seconds, 0..0.5. */
  preDelay: number;
  /** 0..1 */
  damping: number;
}

/** Effects of a sound; absent: neutral. */
export interface SoundEffects {
  /** -1: left only, 1: right only. */
  balance?: number;
  /** Semitones, -12..12. */
  pitch?: number;
  /** 1 to 10 filters in series. */
  equalizer?: EqualizerBand[];
  compressor?: Compressor;
  reverb?: Reverb;
  limiter?: Limiter;
  /** Decibels by which noise alone is lowered, above 0 and up to 40. */
  denoise?: number;
}

interface Audio extends SoundEffects {
  /** Linear gain, 0..10. */
  volume: number;
  muted: boolean;
}

interface Audible extends Audio {
  /** Seconds into the media; negative: from its end. */
  seek: number;
  /** Number of plays; -1: endless. */
  loop: number;
  /** Seconds of the media per second, or keyframes at ascending times. */
  speed: number | SpeedKeyframe[];
  /** Whether the media plays backwards. */
  reverse: boolean;
  /** Whether the sound keeps its pitch at another speed. */
  keepPitch: boolean;
  /** Attenuation in dB while a voice speaks. */
  duck?: number;
}

/** A video clip with its audio. */
export interface VideoElement extends Visual, Audible, VisualSource {
  type: 'video';
  deinterlace: 'auto' | 'on' | 'off';
  /** Whether frames that last longer than those of the movie are mixed with the next ones. */
  blendsFrames?: true;
  /** In order, without overlaps. */
  freeze?: Freeze[];
}

/** An audio file. */
export interface AudioElement extends ElementCommon, Audible {
  type: 'audio';
  src: string;
}

/** Text-to-speech. */
export interface VoiceElement extends ElementCommon, Audio {
  type: 'voice';
  text: string;
  /** Name of a voice of the model. */
  voice?: string;
  model: string;
  /** BCP 47. */
  language?: string;
  /** Speaking rate 0.25..4; 1 is normal. */
  speed: number;
  /** Provider settings as written in the script. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

/** A web page or snippet; exactly one of html and src is set. */
export interface HtmlElement extends Visual {
  type: 'html';
  html?: string;
  src?: string;
  tailwind: boolean;
  /** Seconds the page runs before its first captured frame. */
  wait: number;
  /** Page pixels per canvas pixel. */
  dpi: number;
  /** CSS properties of the snippet's root element. */
  css: Readonly<Record<string, string>>;
}

/** Design variables of components. */
export interface Theme {
  primary: Color;
  accent: Color;
  background: Color;
  surface: Color;
  text: Color;
  /** Font families. */
  fontHeading: string;
  fontBody: string;
  /** URL. */
  logo?: string;
  corners: 'sharp' | 'soft' | 'round';
}

/** An animated graphic from a component pack. */
export interface ComponentElement extends Visual {
  type: 'component';
  /** `pack/name` */
  component: string;
  /** As written in the script; validated by the component's own schema. */
  settings: Readonly<Record<string, unknown>>;
  theme: Theme;
  /** Images named in the settings, with the path of the setting. */
  media: Array<{ path: string; url: string }>;
  /** Natural duration; absent when parsed without a ComponentChecker. */
  seconds?: number;
  /** Present if keyframes change its settings or its theme. */
  varying?: Varying<ComponentElement>;
}

/** The waveform of the movie's audio. */
export interface AudiogramElement extends Visual {
  type: 'audiogram';
  color: Color;
  /** 0..10 */
  amplitude: number;
  style: NonNullable<Script.AudiogramElement['style']>;
}

/** Elements with this path as their `group`, whose times count from its start. Places and sizes of the group itself are not used but for x and y. */
export interface GroupElement extends Visual {
  type: 'group';
}

/** Subtitles over a scene or the movie. */
export interface SubtitlesElement extends ElementCommon {
  type: 'subtitles';
  zIndex: number;
  /** SRT, WebVTT or ASS. Absent: from the movie's voices or by speech recognition. */
  captions?: { text: string } | { url: string };
  /** BCP 47, or `auto`. */
  language: string;
  model: string;
  look: SubtitleLook;
}

/** Animation style of subtitles. */
export type SubtitleStyle = NonNullable<Script.SubtitleSettings['style']>;

/** Subtitle styling; lengths in canvas pixels. */
export interface SubtitleLook {
  style: SubtitleStyle;
  fontFamily: string;
  fontUrl?: string;
  fontSize: number;
  /** 100..900 */
  fontWeight: number;
  /** Whether the weight is the style's, so that a family without it causes no warning. */
  acceptsOtherWeight: boolean;
  wordColor: Color;
  lineColor: Color;
  boxColor: Color;
  /** Colours of speakers, in the order in which they first speak, in place of lineColor; empty: all have lineColor. */
  speakerColors: readonly Color[];
  /** Second colour of the spoken word in the style gradient. */
  gradientColor: Color;
  /** Margin on each side of the lines, as a fraction of the canvas's width. */
  sideMargin: number;
  outline: { width: number; color: Color };
  shadow: { offset: number; color: Color };
  maxWordsPerLine: number;
  allCaps: boolean;
  position: Position | 'mid-top-center' | 'mid-bottom-center';
  /** Centre of the lines when position is `custom`. */
  x: number;
  y: number;
  offsetY: number;
  keywords: string[];
  replace: Readonly<Record<string, string>>;
}
