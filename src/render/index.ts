export type { ProgressListener } from './progress.js';
export { renderMockMovie } from './render-mock-movie.js';
export type { RenderOutput, RenderParts, RenderRequest } from './render-movie.js';
export { planMovie, renderMovie } from './render-movie.js';
