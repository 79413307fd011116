/**
 * The movie: a client's script once it is valid, with every default filled in, both spellings of each
 * property folded into one, and lengths in canvas pixels. Times are seconds. What only the media can tell
 * (natural lengths, natural sizes) is still open here; src/timeline closes it.
 */
import type { Background, BoxLook } from './css/index.js';
import type { Color, Sides } from './values/color-and-sides.js';

export type { Color, Sides };

export interface Movie {
  /** Even, in pixels. */
  width: number;
  height: number;
  fps: { num: number; den: number };
  codec: Codec;
  quality: Quality;
  /** LUFS that the whole sound is brought to; absent: as it is mixed. */
  loudness?: number;
  /** Nothing of it is taken from earlier renders, or kept for later ones. */
  cache?: false;
  scenes: Scene[];
  /** Movie-level elements: below the scenes when zIndex < 0, else above them. */
  elements: Element[];
  /** Receives a POST when the job ends. */
  webhookUri?: string;
  /** Delivery targets as the script has them; read by whoever delivers. */
  exports: unknown[];
  /** The client's own name for the movie. */
  id?: string;
  /** Handed back to the client by targets that tell of the movie. */
  clientData?: unknown;
  /** Times were computed with lengths of media that were not known: to be parsed again when they are. */
  isEstimated?: true;
}

export type Codec = 'h264' | 'hevc' | 'av1';

export type Quality = 'low' | 'medium' | 'high';

export interface Scene {
  /** Dotted path in the script, e.g. `scenes.0`. */
  path: string;
  /** Seconds, or as long as its elements need. */
  duration: number | 'auto';
  background: Color;
  elements: Element[];
  /** As the movie's. */
  cache?: false;
  transition?: { style: TransitionStyle; duration: number };
}

/** Names of ffmpeg's xfade. */
export type TransitionStyle =
  | `fade${'' | 'black' | 'white' | 'grays' | 'fast' | 'slow'}`
  | 'dissolve'
  | 'distance'
  | 'pixelize'
  | 'radial'
  | 'hblur'
  | 'zoomin'
  | `${'wipe' | 'slide' | 'smooth' | 'cover' | 'reveal'}${Direction}`
  | `${'wipe' | 'diag'}${'tl' | 'tr' | 'bl' | 'br'}`
  | `${'circle' | 'rect'}crop`
  | `${'circle' | 'horz' | 'vert'}${'open' | 'close'}`
  | `${'hl' | 'hr' | 'vu' | 'vd'}${'slice' | 'wind'}`
  | `squeeze${'h' | 'v'}`;

export type Direction = 'left' | 'right' | 'up' | 'down';

export type Element =
  | TextElement
  | ImageElement
  | VideoElement
  | AudioElement
  | VoiceElement
  | HtmlElement
  | ComponentElement
  | AudiogramElement
  | SubtitlesElement;

/** Elements with a box on the canvas. */
export type VisualElement = Exclude<Element, AudioElement | VoiceElement | SubtitlesElement>;

/** Elements whose file is fetched from `src`. */
export type MediaElement = ImageElement | VideoElement | AudioElement;

/** Elements that may be heard. */
export type AudibleElement = VideoElement | AudioElement | VoiceElement;

interface ElementCommon {
  /** Dotted path in the script, e.g. `scenes.0.elements.1`: names the element in errors. */
  path: string;
  id?: string;
  /** Seconds from the container's start; -1: at the end of the container's timeline. */
  start: number;
  /** Seconds; 'natural': as long as the media (or the text's animation) itself; 'container': to the end of the scene or movie. */
  duration: number | 'natural' | 'container';
  /** Seconds added past the natural length. */
  extraTime: number;
  fadeIn: number;
  fadeOut: number;
  /** In order of time. */
  keyframes: Keyframe[];
  /** As the movie's, for what the element is seen and heard in. */
  cache?: false;
}

/** What every element that can be seen has. */
export interface Visual extends ElementCommon {
  /** -99..99; elements of equal zIndex keep script order. */
  zIndex: number;
  position: Position;
  /** Canvas pixels. With `custom` the top left corner of the element's box; with a preset an offset from the place that the preset gives. */
  x: number;
  y: number;
  /** Canvas pixels; -1: from the other side by the aspect ratio, or natural size. */
  width: number;
  height: number;
  resize: 'cover' | 'contain' | 'none';
  /** 0..1 */
  opacity: number;
  /** -10..10; 0 none. Positive zooms in over the element's time, negative out; end scale 1 + |zoom| / 10. */
  zoom: number;
  pan?: Pan;
  /** Fraction of the picture's size travelled, 0.01..0.5. */
  panDistance: number;
  /** true: enlarged so that no gap shows while panning. */
  panCrop: boolean;
  rotate?: { angle: number; speed: number };
  flipHorizontal: boolean;
  flipVertical: boolean;
  /** Rectangle of the source, in source pixels. */
  crop?: { x: number; y: number; width: number; height: number };
  /** URL of a picture or video whose brightness is multiplied with the element's alpha. */
  mask?: string;
  /** tolerance 1..100 */
  chromaKey?: { color: Color; tolerance: number };
  correction?: Correction;
  blendMode: BlendMode;
  /** Canvas pixels. */
  cornerRadius: number;
  /** Standard deviation in canvas pixels; 0 none. */
  blur: number;
}

/** As ffmpeg's `eq`: brightness -1..1, contrast -1000..1000, gamma 0.1..10, saturation 0..3; 0, 1, 1, 1 leave the picture. */
export interface Correction {
  brightness: number;
  contrast: number;
  gamma: number;
  saturation: number;
}

export type BlendMode =
  | 'normal'
  | 'multiply'
  | 'screen'
  | 'overlay'
  | 'darken'
  | 'lighten'
  | 'color-dodge'
  | 'color-burn'
  | 'hard-light'
  | 'soft-light'
  | 'difference'
  | 'exclusion'
  | 'add';

/** Values of an element at a moment of its time; those that are absent are not held by this keyframe. */
export interface Keyframe {
  /** Seconds from the element's start, or part of its length. */
  time: { seconds: number } | { fraction: number };
  easing: string;
  /** Canvas pixels, added to the element's place. */
  x?: number;
  y?: number;
  /** Factors. */
  scale?: number;
  opacity?: number;
  volume?: number;
  /** Degrees, clockwise. */
  rotation?: number;
}

export type Position = 'custom' | `${'top' | 'center' | 'bottom'}-${'left' | 'center' | 'right'}`;
export type Pan = 'left' | 'right' | 'top' | 'bottom' | 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';

export type TextStyle = '001' | '002' | '003' | '004' | '005' | '006' | '007' | '008' | '009' | '010' | '011';

export interface TextElement extends Visual {
  type: 'text';
  text: string;
  style: TextStyle;
  typography: Typography;
  /** What is wanted and not drawn: one sentence for each. */
  warnings?: string[];
}

/** Everything that decides how text looks, in canvas pixels. */
export interface Typography {
  /** Families in order of preference. */
  fontFamilies: string[];
  fontSize: number;
  /** As large as the text's box allows; fontSize is then only what other lengths were measured by. */
  fit?: { letterSpacingEm?: number };
  /** 100..900 */
  fontWeight: number;
  fontStyle: 'normal' | 'italic';
  color: Color;
  /** Behind the text block; alpha 0: none. */
  backgroundColor: Color;
  textAlign: 'left' | 'center' | 'right' | 'justify';
  /** Multiple of fontSize. */
  lineHeight: number;
  letterSpacing: number;
  textDecoration: { underline: boolean; lineThrough: boolean; overline: boolean };
  textTransform: 'none' | 'uppercase' | 'lowercase' | 'capitalize';
  shadows: Array<{ x: number; y: number; blur: number; color: Color }>;
  stroke?: { width: number; color: Color };
  padding: Sides;
  borderRadius: number;
  /** Around the block, inside the element's box; may be negative. */
  margin?: Sides;
  /** Of the text block with its padding; absent: as wide as its longest line. */
  blockWidth?: number;
  /** Absent: between words, and where the script allows it. */
  wordBreak?: 'break-all' | 'keep-all';
  /** Words wider than their line stick out instead of being cut. */
  keepLongWords?: boolean;
  /** The block's box where it has more than a colour and round corners alike; padding then holds the border's widths too. */
  box?: BoxLook;
  outline?: { offset: number; look: BoxLook };
  /** What reaches beyond the block is cut off. */
  clips?: true;
  /** Fills the letters, below their own colour. */
  fill?: Background;
  /** Of the text block with its padding; a height that is given is both of them. */
  minWidth?: number;
  maxWidth?: number;
  minHeight?: number;
  maxHeight?: number;
  /** Where the lines stand in a block taller than them; absent: at its top. */
  linesPosition?: 'center' | 'bottom';
  /** Spaces and tabs are kept as they are. */
  keepSpaces?: true;
  /** Lines end where the text has them end, however long they are. */
  noWrap?: true;
  wordSpacing?: number;
  textIndent?: number;
  direction?: 'ltr' | 'rtl';
  decorationLook?: DecorationLook;
  capitals?: 'small-caps' | 'all-small-caps';
  noKerning?: true;
  /** Later lines are left out; the last one ends in an ellipsis. */
  maxLines?: number;
  /** A line that is wider than the block ends in an ellipsis. */
  ellipsis?: true;
  /** Of the whole block, around its middle: a, b, c, d, e, f of a canvas's transform. */
  transform?: [number, number, number, number, number, number];
  /** Where the text block sits in the element's box. */
  horizontalPosition: 'left' | 'center' | 'right';
  verticalPosition: 'top' | 'center' | 'bottom';
}

/** How the lines of a text decoration look; absent: as the font has them, in the colour of the letters. */
export interface DecorationLook {
  color?: Color;
  style?: 'double' | 'dotted' | 'dashed' | 'wavy';
  thickness?: number;
  underlineOffset?: number;
}

/** A picture or film that a provider makes. */
export interface Generation {
  kind: 'image' | 'video';
  prompt: string;
  aspectRatio: 'horizontal' | 'vertical' | 'squared';
  /** Absent: the operator's. */
  model?: string;
  /** Name of the provider. */
  connection?: string;
  /** As the script has them. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

interface VisualSource {
  /** URL; with a generation the name under which what is made is known. */
  src: string;
  generation?: Generation;
}

export interface ImageElement extends Visual, VisualSource {
  type: 'image';
}

interface Audio {
  /** Linear gain, 0..10. */
  volume: number;
  muted: boolean;
}

interface Audible extends Audio {
  /** Seconds into the media; negative: from its end. */
  seek: number;
  /** Passes; -1 without end. */
  loop: number;
  /** Decibels by which it is lowered while a voice speaks. */
  duck?: number;
}

export interface VideoElement extends Visual, Audible, VisualSource {
  type: 'video';
}

export interface AudioElement extends ElementCommon, Audible {
  type: 'audio';
  src: string;
}

export interface VoiceElement extends ElementCommon, Audio {
  type: 'voice';
  text: string;
  /** Name of one of the model's voices. */
  voice?: string;
  model: string;
  /** BCP 47. */
  language?: string;
  /** 0.25..4; 1 is the voice's own. */
  speed: number;
  /** For the provider, as the script has it. */
  modelSettings?: Readonly<Record<string, unknown>>;
}

/** Exactly one of html and src. */
export interface HtmlElement extends Visual {
  type: 'html';
  html?: string;
  src?: string;
  tailwind: boolean;
  /** Seconds that the page runs before its first picture. */
  wait: number;
  /** Page pixels per canvas pixel. */
  dpi: number;
  /** CSS properties of the snippet's root, by their CSS names. */
  css: Readonly<Record<string, string>>;
}

export interface ComponentElement extends Visual {
  type: 'component';
  /** `pack/name` */
  component: string;
  /** As the script has them; the component's own schema reads them. */
  settings: Readonly<Record<string, unknown>>;
  /** Pictures that the settings name; the paths are those of the settings. */
  media: Array<{ path: string; url: string }>;
  /** How long its introduction is; absent: nobody was there to say. */
  seconds?: number;
}

export interface AudiogramElement extends Visual {
  type: 'audiogram';
  color: Color;
  /** 0..10 */
  amplitude: number;
}

export interface SubtitlesElement extends ElementCommon {
  type: 'subtitles';
  zIndex: number;
  /** SRT, WebVTT or ASS. Neither: from the movie's own voices, or by recognition. */
  captions?: { text: string } | { url: string };
  /** BCP 47, or `auto`. */
  language: string;
  model: string;
  look: SubtitleLook;
}

export type SubtitleStyle = 'classic' | 'classic-progressive' | 'classic-one-word' | 'boxed-line' | 'boxed-word';

/** How subtitles look; lengths in canvas pixels. */
export interface SubtitleLook {
  style: SubtitleStyle;
  fontFamily: string;
  fontUrl?: string;
  fontSize: number;
  /** 100..900 */
  fontWeight: number;
  wordColor: Color;
  lineColor: Color;
  boxColor: Color;
  outline: { width: number; color: Color };
  shadow: { offset: number; color: Color };
  maxWordsPerLine: number;
  allCaps: boolean;
  position: Position | 'mid-top-center' | 'mid-bottom-center';
  /** With `custom` the place of the lines' middle. */
  x: number;
  y: number;
  offsetY: number;
  keywords: string[];
  replace: Readonly<Record<string, string>>;
}
