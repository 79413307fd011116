export type { RetentionParts } from './retention.js';
export { Retention } from './retention.js';
