export type { ExportResult } from './deliver-exports.js';
export { deliverExport, deliverExports } from './deliver-exports.js';
export type { ExportClock, ExportFile, ExportJob, ExportOptions, MailSettings, YoutubeEndpoints } from './delivery.js';
export { ExportFailure } from './export-failure.js';
export { exportsSchema } from './export-schema.js';
export type { ExportPolicy } from './parse-exports.js';
export { parseExports } from './parse-exports.js';
export { redactExports } from './redact-exports.js';
export type * from './target.js';
