export type { DrawnSubtitles, SubtitleRequest } from './draw-subtitles.js';
export { drawSubtitles } from './draw-subtitles.js';
export type { Cue } from './formats/cue.js';
export { captionLimits } from './formats/cue.js';
export { decodeText } from './formats/decode-text.js';
export { parseCaptions } from './formats/parse-captions.js';
export { spokenCue } from './spoken-cues.js';
