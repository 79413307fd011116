import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface EngineLimits {
  memoryMb: number;
  cpuSeconds: number;
  /** Of one file. */
  fileMb: number;
}

export interface Confinement {
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

/** Built; also where the source itself runs, as in tests. */
export const engineProgram = root('dist/engine/process/engine-main.js');

/** What the program, its libraries and drivers are made of. */
const installation = ['dist/engine', 'dist/errors', 'build/Release', 'schema', 'package.json'].map(root);
const system = [
  ...['/usr', '/lib', '/lib64', '/opt', '/nix/store', '/run/opengl-driver', '/sys'],
  ...['ld.so.cache', 'ld.so.preload', 'localtime', 'ssl/openssl.cnf', 'vulkan', 'glvnd', 'nvidia', 'drirc', 'OpenCL', 'alternatives'].map(
    (name) => `/etc/${name}`,
  ),
  ...['self', 'meminfo', 'cpuinfo', 'stat', 'version', 'devices', 'modules', 'driver', 'sys/vm', 'sys/kernel'].map((name) => `/proc/${name}`),
];
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'dri', 'kfd'].map((name) => `/dev/${name}`);

/** Beside the memory that pictures take: the program itself, and stacks of threads, which are counted as if they were full. */
const roomMb = 1024;
const roomPerCoreMb = 128;
const descriptors = 4096;
/** The channel of messages: after the three standard ones. */
const channel = 3;

/** Arguments that turn a command into one that runs confined. */
export function confine(command: readonly string[], { isRequired, limits, folder, readable, environment }: Confinement, cores: number): string[] {
  const libraries = (environment.LD_LIBRARY_PATH ?? '').split(':').filter((path) => path.startsWith('/'));
  const read = [...system, ...installation, ...readable, ...libraries];
  return [
    ...['--confine', '--die-with-parent', '--keep', String(channel), ...(isRequired ? ['--require'] : [])],
    ...['--memory-mb', String(limits.memoryMb + roomMb + roomPerCoreMb * cores)],
    ...['--cpu-seconds', String(limits.cpuSeconds), '--file-mb', String(limits.fileMb), '--descriptors', String(descriptors)],
    ...read.flatMap((path) => ['--read', path]),
    ...['--write', folder],
    ...[...devices, ...graphicsDevices()].flatMap((path) => ['--device', path]),
    ...[process.execPath, ...loaders].flatMap((path) => ['--program', path]),
    '--',
    ...command,
  ];
}

/** Where the program that loads programs lies. */
const loaders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/nix/store', dirname(process.execPath)];

function graphicsDevices(): string[] {
  try {
    return readdirSync('/dev')
      .filter((name) => name.startsWith('nvidia'))
      .map((name) => `/dev/${name}`);
  } catch {
    return [];
  }
}
