import { ProgramError, runProgram } from './run-program.js';
import { sandboxLauncher } from './sandbox.js';
import { sandboxArguments, systemLibraryPaths } from './sandbox-arguments.js';

export interface SandboxedRun {
  args: readonly string[];
  /** `off`: no sandbox; `auto`: the layers that the host supports; `required`: fails when a layer is unavailable. */
  mode: 'auto' | 'required' | 'off';
  /** Working directory, and the only folder that the program may write to. */
  folder: string;
  /** Paths that the program may read in addition to the system libraries. */
  readable: readonly string[];
  memoryMb: number;
  /** CPU time limit. */
  seconds: number;
  signal?: AbortSignal;
}

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];
const readable = ['/proc/self', '/proc/meminfo', '/proc/cpuinfo', '/proc/stat', '/proc/version', '/sys/fs/cgroup'];

/**
 * Runs a program on untrusted input: without network, secrets or privileges, and with access to the named files only.
 * Throws ProgramError when the program fails; the message is the end of its standard error.
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
    // CPU time is the limit; wall-clock time is longer on a busy machine.
    timeoutMs: seconds * 6000,
    maxOutputBytes: 65_536,
    signal,
  });
  if (code !== 0) throw new ProgramError(stderr === '' ? `the program ended with ${code === undefined ? 'a signal' : `exit code ${code}`}` : stderr);
}
