export { checkOutputs } from './check-outputs.js';
export { hasExtension, listOutputs, type NamedOutput, outputFileNames } from './file-names.js';
export { type FormatTraits, formatOfExtension, outputFormats, primaryOutput } from './formats.js';
export { parseOutputs } from './parse-outputs.js';
