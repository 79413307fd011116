export { createGenerator, type Generator, type MadeFile } from './generator.js';
export { createGenerationPolicy } from './policy.js';
export type { GenerationRequest } from './request.js';
