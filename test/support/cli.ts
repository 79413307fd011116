import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const cliPath = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** High-water mark of the process's resident memory, sampled while it ran. */
  peakMemoryBytes: number;
  /** The same for its largest child process, the engine. */
  peakEngineBytes: number;
}

/** Switches the cache off unless the test names a cache folder, so that runs do not affect each other. */
function withoutCache(args: string[], named: Record<string, string>): Record<string, string> {
  const isWanted = args.includes('--cache') || Object.keys(named).some((name) => /^(?:FRAMEWRIGHT_(?:CACHE|DATA)_|XDG_CACHE_HOME$)/.test(name));
  return isWanted ? {} : { FRAMEWRIGHT_CACHE_MB: '0' };
}

/** Runs the real command-line program in its own process, `within` another program that takes a command. */
export async function runCli(
  args: string[],
  options: { env?: Record<string, string>; cwd?: string; within?: (command: readonly string[]) => string[] } = {},
): Promise<CliResult> {
  const env = { ...process.env, ...withoutCache(args, options.env ?? {}), ...options.env };
  const command = [process.execPath, cliPath, ...args];
  const [program = '', ...rest] = options.within?.(command) ?? command;
  const child = spawn(program, rest, { env, cwd: options.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let peakMemoryBytes = 0;
  let peakEngineBytes = 0;
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const sampler = setInterval(() => {
    peakMemoryBytes = Math.max(peakMemoryBytes, highWaterMark(child.pid));
    peakEngineBytes = Math.max(peakEngineBytes, ...childrenOf(child.pid).map(highWaterMark));
  }, 20);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(sampler);
  return { code, stdout, stderr, peakMemoryBytes, peakEngineBytes };
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A movie rendered through the command line; the folder is removed by `remove`. */
export async function renderScript(
  script: unknown,
  folder: string,
  options: { name?: string; args?: string[]; env?: Record<string, string> } = {},
): Promise<string> {
  const name = options.name ?? 'movie';
  const moviePath = join(folder, `${name}.json`);
  const outputPath = join(folder, `${name}.mp4`);
  await writeFile(moviePath, JSON.stringify(script));
  const result = await runCli(['render', moviePath, '-o', outputPath, ...(options.args ?? [])], options.env === undefined ? {} : { env: options.env });
  if (result.code !== 0) throw new Error(`render exited with ${result.code}: ${result.stderr}`);
  return outputPath;
}

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'framewright-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function highWaterMark(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
