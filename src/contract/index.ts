export type * from './http.generated.js';
export type { JsonSchema } from './json-schema.js';
/** Movie scripts as clients write them. */
export type * as Script from './script.generated.js';
export type * from './timeline.generated.js';
