export { expandScript } from './expand-script.js';
export { needsExpansion } from './needs-expansion.js';
export { restorePaths, withOriginalPaths } from './original-paths.js';
export type { MediaSeconds } from './timings.js';
export { dropUnusedVariables } from './used-variables.js';
