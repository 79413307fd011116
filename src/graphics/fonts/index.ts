export type { FontCatalogue, FontCatalogueOptions, FontFamily, JobFontCatalogue, ResolvedFont } from './catalogue.js';
export { createFontCatalogue } from './catalogue.js';
export { fontLimits, UnusableFont } from './font-metadata.js';
export type { FontPackage } from './font-packages.js';
export { installedPackageFolders, readFontPackages } from './font-packages.js';
export { findUndrawable } from './glyph-check.js';
export { fingerprintSystemFonts, systemFontFolders } from './system-fonts.js';
