export { ease, evaluate, mixValues, partSeconds, phaseSeconds, staggerSeconds } from './animation/index.js';
export type { AutoLength, Background, BackgroundLayer, Border, BoxLook, BoxShadow, ColorStop, Declarations, Length, Paint } from './css/index.js';
export {
  autoLengthAt,
  cssName,
  degreesOf,
  isCssProperty,
  lengthAt,
  parseBackground,
  parseBorder,
  parseBoxShadows,
  parseLayoutLength,
  parseRadii,
  parseSides,
  resolveLength,
  sideNames,
  words,
} from './css/index.js';
export type { ResolvedDurations, Span } from './durations.js';
export { DEFAULT_CLIP_SECONDS, resolveDurations } from './durations.js';
export type { CheckGeneration, CheckUrl, ComponentChecker } from './elements/index.js';
export { movingStyles } from './elements/subtitle-presets.js';
export { isFontAddress, splitFamilies } from './elements/text/font-families.js';
export { parseTextLook } from './elements/text/look.js';
export { countUnknownLengths, creditsForMovie, creditsForPrices, type Estimate, estimateMovie, type Price, type ProviderPricing } from './estimate.js';
export type { MediaSeconds } from './expansion/index.js';
export { dropUnusedVariables } from './expansion/index.js';
export type * from './movie.js';
export {
  checkOutputs,
  fileType,
  formatOfFile,
  hasExtension,
  listOutputs,
  type NamedOutput,
  outputFileNames,
  outputFormats,
  outputRange,
  primaryOutput,
} from './outputs/index.js';
export type { ParseMovieOptions } from './parse-movie.js';
export { checkWebUrl, MAX_MOVIE_SECONDS, parseMovie } from './parse-movie.js';
export { Playback } from './playback.js';
export { isObject } from './raw.js';
export { findSyntaxError, locateValues, locationAt } from './source-locations.js';
export { estimateSpeechSeconds, isSpoken, speechKey, speechRequestKey } from './speech-length.js';
export type { Variables } from './substitute.js';
export { MAX_SUBSTITUTED_CHARACTERS, mergeVariables, substitute } from './substitute.js';
export { checkTemplateScript } from './template-script.js';
export { defaultTheme } from './theme.js';
export { alternatives, fail, joinPath, propertyName, ScriptError, show } from './validation/fail.js';
export { movieSchema } from './validation/schema.js';
export { createSchemaError } from './validation/schema-errors.js';
export { editDistance, nearestName } from './validation/spellings.js';
export { colorForms, parseColor } from './values/colors.js';
export { decodeEntities } from './values/entities.js';
export { type LengthScale, lengthForms, parseLength, splitOutsideParentheses } from './values/lengths.js';
export { type Oklab, premultipliedOklab } from './values/oklab.js';
