export type {
  AudioResult,
  Beats,
  Capabilities,
  Composition,
  EncoderProbeResult,
  Engine,
  InteropBackend,
  MediaProbeResult,
  OutputsResult,
  SegmentResult,
  StitchRequest,
  StitchResult,
} from './engine.js';
export { createEngine } from './engine.js';
export { engineCodeOf } from './engine-error.js';
export { countGraphicsDevices, listGraphicsDeviceFiles, nvidiaDriver } from './graphics-devices.js';
export type { EngineProcessSettings } from './process/engine-channel.js';
export { EngineExitError } from './process/engine-exit-error.js';
export { createEnginePool } from './process/engine-pool.js';
export { type EngineProcess, startEngineProcess } from './process/engine-process.js';
export { runGpuCheck } from './process/run-gpu-check.js';
