export type { FontCatalogue, FontCatalogueOptions, FontFamily, FontRequest, ResolvedFont } from './catalogue.js';
export { createFontCatalogue } from './catalogue.js';
export type { LineMetrics } from './font-file.js';
export { findUndrawable } from './glyph-check.js';
