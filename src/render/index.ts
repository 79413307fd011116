export { planMovie } from './plan-movie.js';
export type { ProgressListener } from './progress.js';
export { renderMockMovie } from './render-mock-movie.js';
export type { RenderOutput, RenderRequest } from './render-movie.js';
export { renderMovie } from './render-movie.js';
export type { RenderParts } from './render-parts.js';
export type { ReuseSeen } from './reuse-seen.js';
