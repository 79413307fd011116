import { spawn } from 'node:child_process';
import { SupervisedProcess } from './supervised-process.js';

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
  signal?: AbortSignal | undefined;
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
  const { args, folder, environment, signal, timeoutMs, maxOutputBytes } = options;
  signal?.throwIfAborted();
  const name = program.slice(program.lastIndexOf('/') + 1);
  const running = new SupervisedProcess({
    start: () => spawn(program, [...args], { cwd: folder, env: { ...environment }, detached: true, stdio: 'pipe' }),
    leadsGroup: true,
    checkIntervalMs: 100,
  });
  running.setDeadline(timeoutMs, { reason: 'hang', detail: `took longer than ${timeoutMs / 1000} s` });
  const cancel = (): void => running.kill();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const output = collectOutput(running, options.stdin, maxOutputBytes);
    const { reason, code, detail, cause } = await running.exited;
    if (reason === 'stopped') throw signal?.reason instanceof Error ? signal.reason : new Error('aborted');
    if (reason === 'start') throw new ProgramError(`${name} cannot be run (${(cause as NodeJS.ErrnoException).code ?? detail})`, { cause });
    if (reason !== 'exit') throw new ProgramError(`${name} ${detail}`);
    return { code: code ?? undefined, stdout: Buffer.concat(output.chunks), stderr: output.stderr.trim() };
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

interface ProgramOutput {
  chunks: Buffer[];
  stderr: string;
}

/** Sends the input and collects the output until the program ends; kills it when it writes too much. */
function collectOutput(running: SupervisedProcess, stdin: string, maxOutputBytes: number): ProgramOutput {
  const output: ProgramOutput = { chunks: [], stderr: '' };
  let size = 0;
  running.child?.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutputBytes) running.kill({ reason: 'breach', detail: `wrote more than ${maxOutputBytes} bytes` });
    else output.chunks.push(chunk);
  });
  running.child?.stderr?.on('data', (chunk: Buffer) => {
    output.stderr = (output.stderr + chunk.toString('utf8')).slice(-MAX_STDERR_LENGTH);
  });
  // A program that exits early closes its input; its exit code is the error to report.
  running.child?.stdin?.on('error', () => {});
  running.child?.stdin?.end(stdin);
  return output;
}
