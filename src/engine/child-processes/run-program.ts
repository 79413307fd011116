import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { killGroup } from './process-status.js';

/** How to run a program; everything is explicit, nothing is inherited from this process. */
export interface ProgramOptions {
  args: readonly string[];
  /** Text for standard input. Untrusted text goes here, never into the arguments. */
  stdin: string;
  /** Working directory. */
  folder: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Limit for standard output; a program that exceeds it is killed. */
  maxOutputBytes: number;
  signal: AbortSignal;
}

/** Result of a program that ran to its end. */
export interface ProgramResult {
  /** Exit code; undefined when a signal killed the program. */
  code: number | undefined;
  stdout: Buffer;
  /** The last 4096 characters of standard error. */
  stderr: string;
}

/** The program is missing, timed out or exceeded its output limit. */
export class ProgramError extends Error {}

const MAX_STDERR_LENGTH = 4096;

/** Runs a program without a shell, in its own process group, which is killed when the call ends. Throws ProgramError or the signal's reason. */
export async function runProgram(program: string, options: ProgramOptions): Promise<ProgramResult> {
  const { signal, timeoutMs, maxOutputBytes } = options;
  signal.throwIfAborted();
  const child = spawn(program, [...options.args], { cwd: options.folder, env: { ...options.environment }, detached: true, stdio: 'pipe' });
  const name = program.slice(program.lastIndexOf('/') + 1);
  let failure: Error | undefined;
  const stop = (reason: Error): void => {
    failure ??= reason;
    killGroup(child.pid);
  };
  const onAbort = (): void => stop(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  const timer = setTimeout(() => stop(new ProgramError(`${name} took longer than ${timeoutMs / 1000} s`)), timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await communicate(child, options, () => stop(new ProgramError(`${name} wrote more than ${maxOutputBytes} bytes`)));
    if (failure !== undefined) throw failure;
    return result;
  } catch (error) {
    throw failure ?? new ProgramError(`${name} cannot be run (${(error as NodeJS.ErrnoException).code ?? String(error)})`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    // Children of the program must not outlive the call.
    killGroup(child.pid);
  }
}

function communicate(child: ChildProcessWithoutNullStreams, { stdin, maxOutputBytes }: ProgramOptions, onOverflow: () => void): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    child.once('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes) onOverflow();
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR_LENGTH);
    });
    child.once('close', (code) => resolve({ code: code ?? undefined, stdout: Buffer.concat(chunks), stderr: stderr.trim() }));
    // A program that exits early closes its input; its exit code is the error to report.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}
