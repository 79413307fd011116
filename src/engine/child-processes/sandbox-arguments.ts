export interface SandboxOptions {
  command: readonly string[];
  /** Not being able to have a layer is a reason not to start. */
  isRequired: boolean;
  /** The one descriptor besides the standard three that is handed on. */
  keepDescriptor?: number;
  limits: { memoryMb: number; cpuSeconds: number; fileMb: number; descriptors: number };
  /** Folders and files. */
  readable: readonly string[];
  writable: readonly string[];
  devices: readonly string[];
}

/** Libraries, and what they look at when they are loaded. */
export const systemLibraryPaths = ['/usr', '/lib', '/lib64', '/opt', '/nix/store', '/etc/ld.so.cache', '/etc/ld.so.preload'];

/** Where the program that loads programs lies. */
const dynamicLoaderPaths = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/nix/store'];

/** Arguments for the sandbox's launcher (native/sandbox) that turn a command into one that runs confined. */
export function sandboxArguments({ command, isRequired, keepDescriptor: keep, limits, readable, writable, devices }: SandboxOptions): string[] {
  const each = (option: string, paths: readonly string[]): string[] => paths.flatMap((path) => [option, path]);
  return [
    ...['--confine', '--die-with-parent', ...(keep === undefined ? [] : ['--keep', String(keep)]), ...(isRequired ? ['--require'] : [])],
    ...['--memory-mb', String(limits.memoryMb), '--cpu-seconds', String(limits.cpuSeconds)],
    ...['--file-mb', String(limits.fileMb), '--descriptors', String(limits.descriptors)],
    ...each('--read', readable),
    ...each('--write', writable),
    ...each('--device', devices),
    ...each('--program', [...command.slice(0, 1), ...dynamicLoaderPaths]),
    '--',
    ...command,
  ];
}
