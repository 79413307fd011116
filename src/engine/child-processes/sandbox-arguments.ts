/** A command and the rights that the sandbox leaves it. */
export interface SandboxOptions {
  command: readonly string[];
  /** Fail when the host lacks a sandbox layer. */
  isRequired: boolean;
  /** File descriptor that the command inherits besides the three standard ones. */
  keepDescriptor?: number;
  limits: { memoryMb: number; cpuSeconds: number; fileMb: number; descriptors: number };
  /** Folders and files that the command may read. */
  readable: readonly string[];
  writable: readonly string[];
  devices: readonly string[];
  /** Also grant what libcuda needs to start: local packet sockets, and names for its own threads. */
  allowsCuda?: boolean;
}

/** System libraries, and the files that the dynamic loader reads. */
export const systemLibraryPaths = ['/usr', '/lib', '/lib64', '/opt', '/nix/store', '/etc/ld.so.cache', '/etc/ld.so.preload'];

/** Folders of the dynamic loader (ld.so). */
const dynamicLoaderPaths = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/nix/store'];

/** Arguments for the sandbox launcher (native/sandbox) that run a command confined. */
export function sandboxArguments(options: SandboxOptions): string[] {
  const { command, isRequired, keepDescriptor: keep, limits, readable, writable, devices, allowsCuda = false } = options;
  const each = (option: string, paths: readonly string[]): string[] => paths.flatMap((path) => [option, path]);
  return [
    ...['--confine', '--die-with-parent', ...(keep === undefined ? [] : ['--keep', String(keep)]), ...(isRequired ? ['--require'] : [])],
    ...['--memory-mb', String(limits.memoryMb), '--cpu-seconds', String(limits.cpuSeconds)],
    ...['--file-mb', String(limits.fileMb), '--descriptors', String(limits.descriptors)],
    ...(allowsCuda ? ['--cuda'] : []),
    ...each('--read', readable),
    ...each('--write', writable),
    ...each('--device', devices),
    ...each('--program', [...command.slice(0, 1), ...dynamicLoaderPaths]),
    '--',
    ...command,
  ];
}
