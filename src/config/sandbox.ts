import { availableParallelism, totalmem } from 'node:os';
import { type EngineConfig, parseEngineConfig } from './engine.js';
import type { Environment } from './environment.js';

export interface SandboxConfig {
  /** `required`: rather no render than one with fewer layers than there could be. `off`: a process of its own, and no more. */
  mode: 'auto' | 'required' | 'off';
  /** What the engine process of one job may use. */
  limits: { memoryMb: number; cpuSeconds: number; fileMb: number };
  /** OpenType Sanitizer, through which fonts go that scripts name by address; undefined: not installed. */
  fontSanitizer: string | undefined;
  /** The operator counts on a graphics device, whose drivers compile code: the engine's seal leaves room for that. */
  drivers: boolean;
  /** `EngineConfig.maxParallelSegments`, which the engine is told when it starts. */
  maxParallelSegments: EngineConfig['maxParallelSegments'];
  /** All that it sees of the environment: how libraries and drivers are found. */
  environment: Readonly<Record<string, string>>;
}

const engineVariables = /^(LANG|LC_.+|TZ|LD_LIBRARY_PATH|VK_.+|LP_.+|LIBVA_.+|CUDA_.+|NVIDIA_.+)$/;

const megabyte = 1024 ** 2;
/** Three quarters of what there is, so that a render ends before the host does. */
const defaultMemoryMb = (): number => Math.max(1024, Math.floor((Math.min(totalmem(), process.constrainedMemory?.() || totalmem()) * 0.75) / megabyte));

export function parseSandboxConfig(environment: Environment): SandboxConfig {
  const engine = parseEngineConfig(environment);
  return Object.freeze({
    mode: environment.oneOf('FRAMEWRIGHT_SANDBOX', 'auto', ['auto', 'required', 'off'] as const),
    limits: Object.freeze({
      memoryMb: environment.integer('FRAMEWRIGHT_RENDER_MEMORY_MB', defaultMemoryMb(), { min: 256, max: 16_777_216 }),
      cpuSeconds: environment.integer('FRAMEWRIGHT_RENDER_CPU_MINUTES', Math.max(1440, 60 * availableParallelism()), { min: 1, max: 1_000_000 }) * 60,
      fileMb: environment.integer('FRAMEWRIGHT_RENDER_FILE_MB', 65_536, { min: 16, max: 16_777_216 }),
    }),
    fontSanitizer: environment.findProgram(['ots-sanitize']),
    drivers: countsOnDrivers(engine),
    maxParallelSegments: engine.maxParallelSegments,
    environment: Object.freeze(environment.select((name) => engineVariables.test(name))),
  });
}

function countsOnDrivers({ encoder, compositor }: EngineConfig): boolean {
  return compositor === 'vulkan' || /nvenc|vaapi/.test(encoder);
}
