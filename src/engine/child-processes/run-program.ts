import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface ProgramRun {
  args: readonly string[];
  /** The text goes here, never into the arguments. */
  input: string;
  folder: string;
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxOutputBytes: number;
  signal: AbortSignal;
}

export interface ProgramAnswer {
  /** Undefined when it was killed by something else than this run. */
  code: number | undefined;
  output: Buffer;
  /** The end of what it wrote to its error stream. */
  complaint: string;
}

/** The program does not exist, took too long or wrote too much. */
export class ProgramFailure extends Error {}

const MAX_COMPLAINT = 4096;

/** Runs a program without a shell, in a process group of its own that ends with this call. */
export async function runProgram(program: string, run: ProgramRun): Promise<ProgramAnswer> {
  run.signal.throwIfAborted();
  const child = spawn(program, [...run.args], { cwd: run.folder, env: { ...run.environment }, detached: true, stdio: 'pipe' });
  let failure: Error | undefined;
  const stop = (reason: Error): void => {
    failure ??= reason;
    killGroup(child);
  };
  const onAbort = (): void => stop(run.signal.reason instanceof Error ? run.signal.reason : new Error('aborted'));
  const timer = setTimeout(() => stop(new ProgramFailure(`${nameOf(program)} took longer than ${run.timeoutMs / 1000} s`)), run.timeoutMs);
  run.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const answer = await converse(child, run, () => stop(new ProgramFailure(`${nameOf(program)} wrote more than ${run.maxOutputBytes} bytes`)));
    if (failure !== undefined) throw failure;
    return answer;
  } catch (error) {
    throw failure ?? new ProgramFailure(`${nameOf(program)} cannot be run (${(error as NodeJS.ErrnoException).code ?? String(error)})`, { cause: error });
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', onAbort);
    // Nothing that it started outlives the call.
    killGroup(child);
  }
}

function converse(child: ChildProcessWithoutNullStreams, { input, maxOutputBytes }: ProgramRun, tooMuch: () => void): Promise<ProgramAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let complaint = '';
    child.once('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes) tooMuch();
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-MAX_COMPLAINT);
    });
    child.once('close', (code) => resolve({ code: code ?? undefined, output: Buffer.concat(chunks), complaint: complaint.trim() }));
    // A program that ends early closes its input; its exit code tells why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
