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
}

export interface Source {
  kind: 'image' | 'sprite' | 'video' | 'audio';
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
  encoder: 'libx264';
  preset: string;
  crf: number;
  keyframeSeconds: number;
  audioBitrate: number;
}
