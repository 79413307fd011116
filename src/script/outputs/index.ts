export { checkOutputs } from './check-outputs.js';
export { listOutputs, type NamedOutput, outputFileNames } from './file-names.js';
export { type FormatTraits, fileType, formatOfFile, hasExtension, outputFormats, primaryOutput } from './formats.js';
export { parseOutputs } from './parse-outputs.js';
export { type Precision, parsePrecision } from './precision.js';
export { outputRange } from './range.js';
