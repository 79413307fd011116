import type { EncoderName } from './encoders.js';

/** The document sent to the C++ engine, as described by schema/timeline.schema.json. */
export interface Timeline {
  version: 1;
  canvas: { width: number; height: number; fps: { num: number; den: number }; frames: number };
  sources: Source[];
  under: Clip[];
  sections: Section[];
  over: Clip[];
  audio: AudioClip[];
  encode: EncodeSettings;
  /** Default `auto`: Vulkan where a device can compose, the CPU otherwise. */
  compositor?: 'auto' | 'cpu' | 'vulkan';
  handover?: 'auto' | 'off';
  hardwareDecode?: 'auto' | 'off' | 'on';
}

/** A file that clips draw or play; `label` names its element in error messages. */
export interface Source {
  kind: 'image' | 'sprite' | 'video' | 'audio' | 'sequence' | 'animation';
  path: string;
  label: string;
}

/** Canvas pixels, or fractions where stated. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A curve's value at a frame, with the easing towards the next keyframe. */
export interface Keyframe {
  frame: number;
  value: number;
  easing?: string;
}

/** A constant, or keyframes in ascending order over frames from the clip's start. */
export type Curve = number | Keyframe[];

/** Played range of a media file: `in` and `out` in seconds, `loops` passes (-1: endless). */
export interface MediaRange {
  in: number;
  out?: number;
  loops?: number;
}

/** Motion of a piece within its element, applied before the clip's own. */
export interface PieceMotion {
  anchor?: { x: number; y: number };
  x?: Curve;
  y?: Curve;
  scaleX?: Curve;
  scaleY?: Curve;
  /** Degrees, clockwise, about the anchor. */
  rotation?: Curve;
}

/** Fractions of the box, 0..1, hidden from each side. */
export interface Reveal {
  left?: Curve;
  top?: Curve;
  right?: Curve;
  bottom?: Curve;
}

/** One source on the canvas. Times in frames, geometry in canvas pixels. */
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

/** The frames of one scene. `start` counts from the movie's start. */
export interface Section {
  label: string;
  start: number;
  frames: number;
  background: string;
  clips: Clip[];
  transition?: { style: string; frames: number };
  /** True when a transition out of the last frame follows in a section that this document omits. */
  goesOn?: boolean;
  /** Frame of the section at which its omitted incoming transition ends. */
  ledUntil?: number;
}

/** One source in the mix. Times in frames, gain linear. */
export interface AudioClip {
  source: number;
  start: number;
  frames: number;
  gain: Curve;
  fadeIn?: number;
  fadeOut?: number;
  media: MediaRange;
}

/** Parameters of the video and audio encoders. */
export interface EncodeSettings {
  encoder: EncoderName;
  /** The encoder's own preset name. */
  preset: string;
  /** Constant-quality value on the encoder's own scale. */
  crf: number;
  keyframeSeconds: number;
  /** Seconds between IDR frames in still spans; 0 encodes every frame of a still span. Default 10. */
  stillKeyframeSeconds?: number;
  /** Whether spans that show a source video unchanged copy its packets instead of re-encoding. Default false. */
  copy?: boolean;
  audioBitrate: number;
  /** Target loudness of the whole movie in LUFS; absent: no loudness normalization. */
  loudness?: number;
}
