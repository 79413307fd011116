export type { Note } from './fields.js';
export { ImportError, type Imported, type ImportFormat, importFormats, importScript } from './import-script.js';
