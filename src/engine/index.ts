export type {
  AudioFacts,
  CallOptions,
  Capabilities,
  ComposedFrame,
  EncoderVerdict,
  Engine,
  LocalEngine,
  MediaFacts,
  OutputFacts,
  ProgressOptions,
  SegmentFacts,
} from './engine.js';
export { createEngine } from './engine.js';
export { engineCodeOf } from './engine-error.js';
export { EngineLost } from './process/engine-lost.js';
export { type EngineProcess, type EngineProcessSettings, startEngineProcess } from './process/engine-process.js';
export { createEngineSupply, type EngineSupply } from './process/engine-supply.js';
