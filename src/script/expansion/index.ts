export type { Expansion } from './expand-script.js';
export { expandScript } from './expand-script.js';
export { needsExpansion } from './needs-expansion.js';
export { inScript, putPlaces } from './places.js';
export type { MediaSeconds } from './timings.js';
export { withUsedVariables } from './used-variables.js';
