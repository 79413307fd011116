export type { NaturalSeconds, ResolvedDurations, ResolvedScene, Span } from './durations.js';
export { resolveDurations, UNKNOWN_CLIP_SECONDS } from './durations.js';
export type { CheckUrl } from './elements.js';
export { creditsFor, estimateMovie } from './estimate.js';
export type * from './movie.js';
export type { ParseMovieOptions } from './parse-movie.js';
export { checkWebUrl, MAX_MOVIE_SECONDS, parseMovie } from './parse-movie.js';
export { movieSchema } from './schema.js';
