export { createGenerator, type GeneratedFile, type Generator } from './generator.js';
export { requestedSeconds } from './model-settings.js';
export { createGenerationPolicy } from './policy.js';
export type { GenerationRequest } from './request.js';
