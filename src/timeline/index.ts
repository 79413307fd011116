export type { CompileInput } from './compile-timeline.js';
export { compileTimeline } from './compile-timeline.js';
export type { MediaFile, PageFile } from './media-file.js';
export type { Piece } from './piece.js';
export { areaBox, textBox } from './placement.js';
export type { EncodeSettings, Keyframe, Section, Timeline } from './timeline.js';
