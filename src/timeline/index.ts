export type { CompileInput } from './compile-timeline.js';
export { compileTimeline } from './compile-timeline.js';
export type { Cut, FrameRange } from './cut/cut-segment.js';
export { cutSegment, segmentRange } from './cut/cut-segment.js';
export { cutSound } from './cut/cut-sound.js';
export type { MediaFile, PageFile } from './media-file.js';
export type { Piece } from './piece.js';
export { areaBox, textBox } from './placement.js';
export type { Clip, EncodeSettings, Keyframe, Section, Source, Timeline } from './timeline.js';
