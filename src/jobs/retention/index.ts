export type { RetentionOptions } from './retention.js';
export { Retention } from './retention.js';
