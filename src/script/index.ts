export type { AutoLength, Background, BackgroundLayer, Border, BoxLook, BoxShadow, ColorStop, Declarations, Length, Paint } from './css/index.js';
export {
  autoLengthAt,
  colorAt,
  cssName,
  degreesOf,
  fourSides,
  isCssProperty,
  lastName,
  lengthAt,
  parseBackground,
  parseBorder,
  parseBoxShadows,
  parseLayoutLength,
  parsePaint,
  parseRadii,
  resolveLength,
  sideNames,
  words,
} from './css/index.js';
export type { NaturalSeconds, ResolvedDurations, ResolvedScene, Span } from './durations.js';
export { resolveDurations, UNKNOWN_CLIP_SECONDS } from './durations.js';
export { isFontAddress } from './elements/font-families.js';
export type { CheckGeneration, CheckUrl, ComponentChecker } from './elements/index.js';
export { parseTextLook } from './elements/text-look.js';
export { creditsFor, estimateMovie } from './estimate.js';
export type { MediaSeconds } from './expansion/index.js';
export { withUsedVariables } from './expansion/index.js';
export type { JsonFault } from './json-places.js';
export { findFault, findPlaces, placeAt } from './json-places.js';
export type * from './movie.js';
export type { ParseMovieOptions } from './parse-movie.js';
export { checkWebUrl, MAX_MOVIE_SECONDS, parseMovie } from './parse-movie.js';
export { estimateSpeechSeconds, SILENT_MODEL, speechKey } from './speech-length.js';
export type { Variables } from './substitute.js';
export { MAX_SUBSTITUTED_CHARACTERS, substitute, withVariables } from './substitute.js';
export { checkTemplateScript } from './template-script.js';
export { wordedError } from './validation/error-wording.js';
export { fail, joinPath, show } from './validation/fail.js';
export { movieSchema } from './validation/schema.js';
export { nearestName } from './validation/spellings.js';
export { colorForms, parseColor } from './values/colors.js';
export { type LengthScale, lengthForms, parseLength, splitOutsideParentheses } from './values/lengths.js';
