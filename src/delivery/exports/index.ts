export { deliverExports } from './deliver-exports.js';
export type { ExportClock, ExportFile, ExportOptions, ExportPart } from './delivery.js';
export { exportsSchema } from './export-schema.js';
export type { ExportPolicy } from './parse-exports.js';
export { parseExports } from './parse-exports.js';
export { redactExports } from './redact-exports.js';
export type * from './target.js';
