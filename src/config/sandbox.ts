import { availableParallelism, totalmem } from 'node:os';
import { type EngineConfig, parseEngineConfig } from './engine.js';
import type { Environment } from './environment.js';

/** Sandbox and limits of the engine processes. */
export interface SandboxConfig {
  /** `auto`: every layer that the host offers. `required`: renders fail if a layer is missing. `off`: a separate process without a sandbox. */
  mode: 'auto' | 'required' | 'off';
  /** Limits of the engine process of one job. */
  limits: { memoryMb: number; cpuSeconds: number; fileMb: number };
  /** Path of OpenType Sanitizer, which cleans fonts that scripts name by URL; undefined if it is not installed. */
  fontSanitizer: string | undefined;
  /** Whether the configuration requires a graphics device: its drivers compile code, which the sandbox then has to allow. */
  drivers: boolean;
  /** `EngineConfig.maxParallelSegments`, which the engine gets at its start. */
  maxParallelSegments: EngineConfig['maxParallelSegments'];
  /** The whole environment of the engine process: how libraries and drivers are found. */
  environment: Readonly<Record<string, string>>;
}

const engineVariables = /^(LANG|LC_.+|TZ|LD_LIBRARY_PATH|VK_.+|LP_.+|LIBVA_.+|CUDA_.+|NVIDIA_.+)$/;

/** Three quarters of the host's memory, so that a render runs out of memory before the host does. */
const defaultMemoryMb = (): number => Math.max(1024, Math.floor((Math.min(totalmem(), process.constrainedMemory?.() || totalmem()) * 0.75) / 1024 ** 2));

export function parseSandboxConfig(environment: Environment): SandboxConfig {
  const { encoder, compositor, maxParallelSegments } = parseEngineConfig(environment);
  return Object.freeze({
    mode: environment.oneOf('FRAMEWRIGHT_SANDBOX', 'auto', ['auto', 'required', 'off'] as const),
    limits: Object.freeze({
      memoryMb: environment.integer('FRAMEWRIGHT_RENDER_MEMORY_MB', defaultMemoryMb(), { min: 256, max: 16_777_216 }),
      cpuSeconds: environment.integer('FRAMEWRIGHT_RENDER_CPU_MINUTES', Math.max(1440, 60 * availableParallelism()), { min: 1, max: 1_000_000 }) * 60,
      fileMb: environment.integer('FRAMEWRIGHT_RENDER_FILE_MB', 65_536, { min: 16, max: 16_777_216 }),
    }),
    fontSanitizer: environment.findProgram(['ots-sanitize']),
    drivers: compositor === 'vulkan' || /nvenc|vaapi/.test(encoder),
    maxParallelSegments,
    environment: Object.freeze(environment.select((name) => engineVariables.test(name))),
  });
}
