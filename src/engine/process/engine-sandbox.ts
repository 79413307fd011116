import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sandboxArguments, systemLibraryPaths } from '../child-processes/index.js';
import type { EncoderSlots } from './encoder-slots.js';

export interface EngineLimits {
  memoryMb: number;
  cpuSeconds: number;
  /** Of one file. */
  fileMb: number;
}

export interface EngineSandbox {
  /** Not being able to have a layer is a reason not to start. */
  isRequired: boolean;
  limits: EngineLimits;
  /** The only folder that it may write to. */
  folder: string;
  /** Further folders that it may read. */
  readable: readonly string[];
  environment: Readonly<Record<string, string>>;
}

const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** native/host, as the set-up builds it. */
export const engineProgram = root('build/Release/framewright-engine');

/** What it is made of; libraries and drivers are the system's. */
const installationPaths = [root('build/Release')];
const systemPaths = [
  ...[...systemLibraryPaths, '/run/opengl-driver', '/sys'],
  ...['localtime', 'ssl/openssl.cnf', 'vulkan', 'glvnd', 'nvidia', 'drirc', 'OpenCL', 'alternatives'].map((name) => `/etc/${name}`),
  ...['self', 'meminfo', 'cpuinfo', 'stat', 'version', 'devices', 'modules', 'driver', 'sys/vm', 'sys/kernel'].map((name) => `/proc/${name}`),
];
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'dri', 'kfd'].map((name) => `/dev/${name}`);

/** Beside the memory that pictures take: the program itself, and stacks of threads, which are counted as if they were full. */
const PROGRAM_OVERHEAD_MB = 1024;
const OVERHEAD_PER_CORE_MB = 128;
/** Each further encoder has threads of its own, at most one a core and some that draw and decode for it. */
const OVERHEAD_PER_ENCODER_MB = 512;
const descriptors = 4096;
/** The channel of messages: after the three standard ones. */
const channel = 3;

/**
 * The engine's seal is a list of what it may call, with no code to be loaded any more. Drivers of graphics devices are beyond that: they load and
 * compile code, so where there are such devices, or an operator counts on them, the seal only keeps it from other programs and processes.
 */
export function engineCommand(drivers: boolean, { maxParallel: most, cores }: EncoderSlots, { memoryMb }: EngineLimits): [string, ...string[]] {
  const slots = most === 1 ? [] : ['--slots', ...[most, cores, memoryMb].map(String)];
  return [engineProgram, ...(drivers || hasGraphics() ? ['--drivers'] : []), ...slots];
}

function hasGraphics(): boolean {
  return graphicsDevices().length > 0 || namesIn('/dev').includes('dxg') || namesIn('/dev/dri').some((name) => name.startsWith('renderD'));
}

/** Arguments that turn a command into one that runs confined. */
export function sandboxCommand(
  command: readonly string[],
  { isRequired, limits, folder, readable, environment }: EngineSandbox,
  cores: number,
  encoders = 1,
): string[] {
  const libraries = (environment.LD_LIBRARY_PATH ?? '').split(':').filter((path) => path.startsWith('/'));
  return sandboxArguments({
    command,
    isRequired,
    keepDescriptor: channel,
    limits: {
      ...limits,
      memoryMb: limits.memoryMb + PROGRAM_OVERHEAD_MB + OVERHEAD_PER_CORE_MB * cores + OVERHEAD_PER_ENCODER_MB * (encoders - 1),
      descriptors,
    },
    readable: [...systemPaths, ...installationPaths, ...readable, ...libraries],
    writable: [folder],
    devices: [...devices, ...graphicsDevices()],
  });
}

function graphicsDevices(): string[] {
  return namesIn('/dev')
    .filter((name) => name.startsWith('nvidia'))
    .map((name) => `/dev/${name}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
