export { checkNamedEncoder } from './encode/check-named-encoder.js';
export { createEncoderChoice, type EncoderChoice, namedEncoders, refusalText } from './encode/encoder-choice.js';
export type { ReuseSeen } from './encode/reuse-seen.js';
export { planMovie } from './plan/plan-movie.js';
export type { ProgressListener } from './progress.js';
export { renderMockMovie } from './render-mock-movie.js';
export type { RenderOutput, RenderRequest } from './render-movie.js';
export { renderMovie } from './render-movie.js';
export type { EncoderFallback, RenderParts } from './render-parts.js';
