export { checkOutputs } from './check-outputs.js';
export { listOutputs, type NamedOutput, outputFileNames, primaryExtension } from './file-names.js';
export { type FormatTraits, formatOfExtension, outputFormats, primaryOutput } from './formats.js';
export { parseOutputs } from './parse-outputs.js';
