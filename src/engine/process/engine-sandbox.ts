import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { sandboxArguments, sandboxLauncher, systemLibraryPaths } from '../child-processes/index.js';
import { listGraphicsDeviceFiles } from '../graphics-devices.js';
import type { EncoderSlots } from './encoder-slots.js';

/** Resource limits of an engine process. */
export interface EngineLimits {
  memoryMb: number;
  cpuSeconds: number;
  /** Maximum size of one file. */
  fileMb: number;
}

/** What an engine process may access and use. */
export interface EngineSandbox {
  /** Fail when the host lacks a sandbox layer. */
  isRequired: boolean;
  limits: EngineLimits;
  /** The only folder that the process may write to. */
  folder: string;
  /** Further folders that the process may read. */
  readable: readonly string[];
  environment: Readonly<Record<string, string>>;
}

const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Built from native/gpu_check where Vulkan's headers are installed. */
export const gpuCheckProgram = root('build/Release/framewright-gpu-check');

/** Built from native/host. */
export const engineProgram = root('build/Release/framewright-engine');

/** The engine's own files; libraries and drivers are the system's. */
const installationPaths = [root('build/Release')];
const systemPaths = [
  ...[...systemLibraryPaths, '/run/opengl-driver', '/sys'],
  ...['localtime', 'ssl/openssl.cnf', 'vulkan', 'glvnd', 'nvidia', 'drirc', 'OpenCL', 'alternatives'].map((name) => `/etc/${name}`),
  ...['self', 'meminfo', 'cpuinfo', 'stat', 'version', 'devices', 'modules', 'driver', 'sys/vm', 'sys/kernel'].map((name) => `/proc/${name}`),
];
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'dri', 'kfd'].map((name) => `/dev/${name}`);

/** Address space besides frames: the program itself, and thread stacks, which count at full size. */
const PROGRAM_OVERHEAD_MB = 1024;
const OVERHEAD_PER_CORE_MB = 128;
/** Thread stacks of each further encoder. */
const OVERHEAD_PER_ENCODER_MB = 512;
const descriptors = 4096;
/** File descriptor of the message channel. */
export const channelDescriptor = 3;

/**
 * Command line of the engine process. Its seccomp filter allows a list of system calls, none of which loads code. Graphics drivers load and
 * compile code, so on hosts with a device, or when `drivers` is set, the filter only blocks starting and inspecting other processes.
 */
export function engineCommand(drivers: boolean, { maxParallel, cores }: EncoderSlots, { memoryMb }: EngineLimits): [string, ...string[]] {
  const { nvidia, windows, renderNodes } = listGraphicsDeviceFiles();
  const hasGraphics = [nvidia, windows, renderNodes].some((files) => files.length > 0);
  const slots = maxParallel === 1 ? [] : ['--slots', ...[maxParallel, cores, memoryMb].map(String)];
  return [engineProgram, ...(drivers || hasGraphics ? ['--drivers'] : []), ...slots];
}

/** The command line that runs a command in the sandbox; the command itself without one. */
export function confinedCommand(
  command: readonly string[],
  mode: 'auto' | 'required' | 'off',
  sandbox: Omit<EngineSandbox, 'isRequired'>,
  options?: { encoders?: number; keepDescriptor?: number },
): readonly string[] {
  const launcher = mode === 'off' ? undefined : sandboxLauncher();
  if (launcher === undefined) return command;
  return [launcher, ...sandboxCommand(command, { ...sandbox, isRequired: mode === 'required' }, availableParallelism(), options)];
}

/** Arguments for the sandbox launcher that run the engine command confined. */
export function sandboxCommand(
  command: readonly string[],
  { isRequired, limits, folder, readable, environment }: EngineSandbox,
  cores: number,
  { encoders = 1, keepDescriptor }: { encoders?: number; keepDescriptor?: number } = {},
): string[] {
  const { nvidia, windows } = listGraphicsDeviceFiles();
  const libraries = (environment.LD_LIBRARY_PATH ?? '').split(':').filter((path) => path.startsWith('/'));
  return sandboxArguments({
    command,
    isRequired,
    ...(keepDescriptor !== undefined && { keepDescriptor }),
    limits: {
      ...limits,
      memoryMb: limits.memoryMb + PROGRAM_OVERHEAD_MB + OVERHEAD_PER_CORE_MB * cores + OVERHEAD_PER_ENCODER_MB * (encoders - 1),
      descriptors,
    },
    readable: [...systemPaths, ...installationPaths, ...readable, ...libraries],
    writable: [folder],
    devices: [...devices, ...nvidia, ...windows],
    allowsCuda: nvidia.length > 0 || windows.length > 0,
  });
}
