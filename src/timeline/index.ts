export type { CompileInput, MediaFile, TextPiece } from './compile-timeline.js';
export { compileTimeline } from './compile-timeline.js';
export { textBox } from './placement.js';
export type { EncodeSettings, Section, Timeline } from './timeline.js';
