export type { ExportRunnerOptions } from './export-runner.js';
export { ExportRunner } from './export-runner.js';
export type { DueExports, ExportState, OpenTarget } from './export-store.js';
export { ExportStore } from './export-store.js';
