export type { AudioFacts, CallOptions, Capabilities, ComposedFrame, Engine, MediaFacts, OutputFacts, ProgressOptions, SegmentFacts } from './engine.js';
export { createEngine } from './engine.js';
