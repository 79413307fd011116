import { ProgramError, runProgram } from './run-program.js';
import { sandboxLauncher } from './sandbox.js';
import { sandboxArguments, systemLibraryPaths } from './sandbox-arguments.js';

export interface SandboxedRun {
  args: readonly string[];
  /** `off`: without the sandbox; `required`: not without any of its layers. */
  mode: 'auto' | 'required' | 'off';
  /** The only folder that it may write to, and its own one. */
  folder: string;
  /** What else it may read, besides the system's libraries. */
  readable: readonly string[];
  memoryMb: number;
  seconds: number;
  signal?: AbortSignal;
}

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];
const readable = ['/proc/self', '/proc/meminfo', '/proc/cpuinfo', '/proc/stat', '/proc/version', '/sys/fs/cgroup'];

/**
 * Runs a program on what strangers sent: without a network, secrets, privileges, or any file but those named. Throws ProgramError when it
 * does not end well; `stderr` is the end of what it said.
 */
export async function runSandboxed(program: string, { args, mode, folder, memoryMb, seconds, signal, ...rest }: SandboxedRun): Promise<void> {
  const launcher = mode === 'off' ? undefined : sandboxLauncher();
  const limits = { memoryMb, cpuSeconds: seconds, fileMb: 512, descriptors: 128 };
  const allowed = { readable: [...systemLibraryPaths, ...readable, ...rest.readable], writable: [folder], devices };
  const command = [program, ...args];
  const { code, stderr } = await runProgram(launcher ?? program, {
    args: launcher === undefined ? args : sandboxArguments({ command, isRequired: mode === 'required', limits, ...allowed }),
    stdin: '',
    folder,
    environment: { LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder },
    // Processor time is what is bounded; a busy machine takes longer.
    timeoutMs: seconds * 6000,
    maxOutputBytes: 65_536,
    signal: signal ?? new AbortController().signal,
  });
  if (code !== 0) throw new ProgramError(stderr === '' ? `it ended with ${code === undefined ? 'a signal' : `code ${code}`}` : stderr);
}
