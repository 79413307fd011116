import type { EncoderName } from './encoders.js';

/** The Timeline as schema/timeline.schema.json has it: the one document that crosses to C++. */
export interface Timeline {
  version: 1;
  canvas: { width: number; height: number; fps: { num: number; den: number }; frames: number };
  sources: Source[];
  under: Clip[];
  sections: Section[];
  over: Clip[];
  audio: AudioClip[];
  encode: EncodeSettings;
  /** What draws. Default `auto`: a graphics device where there is one that can compose. */
  compositor?: 'auto' | 'cpu' | 'vulkan';
  handover?: 'auto' | 'off';
  hardwareDecode?: 'auto' | 'off' | 'on';
}

export interface Source {
  kind: 'image' | 'sprite' | 'video' | 'audio' | 'sequence' | 'animation';
  path: string;
  label: string;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Keyframe {
  frame: number;
  value: number;
  easing?: string;
}

export type Curve = number | Keyframe[];

export interface MediaRange {
  in: number;
  out?: number;
  loops?: number;
}

/** Motion of one part of an element within it, before the clip's own. */
export interface PieceMotion {
  anchor?: { x: number; y: number };
  x?: Curve;
  y?: Curve;
  scaleX?: Curve;
  scaleY?: Curve;
  /** Degrees, clockwise, about the anchor. */
  rotation?: Curve;
}

/** Parts of the box, 0..1, hidden from each side. */
export interface Reveal {
  left?: Curve;
  top?: Curve;
  right?: Curve;
  bottom?: Curve;
}

export interface Clip {
  source?: number;
  fill?: string;
  start: number;
  frames: number;
  box: Rect;
  crop?: Rect;
  clip?: Rect;
  anchor?: { x: number; y: number };
  x?: Curve;
  y?: Curve;
  scale?: Curve;
  rotation?: Curve;
  opacity?: Curve;
  piece?: PieceMotion;
  reveal?: Reveal;
  /** Canvas pixels, before any scaling. */
  cornerRadius?: number;
  /** Standard deviation in canvas pixels. */
  blur?: Curve;
  blend?: string;
  mask?: { source: number; media?: MediaRange; region?: Rect };
  chromaKey?: { color: string; tolerance: number };
  correction?: { brightness: number; contrast: number; gamma: number; saturation: number };
  /** Instead of a source or fill. */
  waveform?: { color: string; amplitude: number };
  fadeIn?: number;
  fadeOut?: number;
  flipX?: boolean;
  flipY?: boolean;
  media?: MediaRange;
}

export interface Section {
  label: string;
  start: number;
  frames: number;
  background: string;
  clips: Clip[];
  transition?: { style: string; frames: number };
  /** A transition from its last picture follows in a section that the document leaves out. */
  goesOn?: boolean;
  /** The transition that leads here ends at this frame of the section; the document leaves it out. */
  ledUntil?: number;
}

export interface AudioClip {
  source: number;
  start: number;
  frames: number;
  gain: Curve;
  fadeIn?: number;
  fadeOut?: number;
  media: MediaRange;
}

export interface EncodeSettings {
  encoder: EncoderName;
  /** In the encoder's own words. */
  preset: string;
  /** On the encoder's own scale of constant quality. */
  crf: number;
  keyframeSeconds: number;
  /** Between key frames while the picture stays; 0: stills are encoded frame by frame. Default 10. */
  stillKeyframeSeconds?: number;
  /** Stretches that show a film as it is, picture for picture, take its pictures as they are coded in its file. Default: nothing is copied. */
  copy?: boolean;
  audioBitrate: number;
  /** LUFS of the whole movie; absent: as it is mixed. */
  loudness?: number;
}
