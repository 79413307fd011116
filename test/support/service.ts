import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCli } from './cli.js';
import { childrenOf } from './pid-namespace.js';

const mainPath = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface RunningService {
  url: string;
  pid: number;
  log(): string;
  /** Process ids of its render processes. */
  workers(): number[];
  stop(): Promise<void>;
}

export interface StartOptions {
  /** `log()` then returns only the address. */
  logFile?: string | undefined;
  /** Command that runs the service as its child process; see `startMachine`. */
  within?: readonly string[];
}

/** Starts the service on a free port with its data in `dataDir`. */
export async function startService(dataDir: string, env: Record<string, string> = {}, { logFile, within = [] }: StartOptions = {}): Promise<RunningService> {
  const logTo = logFile === undefined ? undefined : openSync(logFile, 'a');
  const [program = '', ...args] = [...within, process.execPath, mainPath];
  const child = spawn(program, args, {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', FRAMEWRIGHT_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', logTo ?? 'pipe'],
  });
  if (logTo !== undefined) closeSync(logTo);
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    const collect = (text: string): void => {
      log += text;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(log);
      if (address !== null) resolve(address[0]);
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('exit', (code) => reject(new Error(`the service exited with ${code}: ${log}`)));
  });
  const pid = (within.length === 0 ? child.pid : childrenOf(child.pid ?? 0)[0]) ?? 0;
  return { url, pid, log: () => log, workers: () => workersOf(pid), stop: () => stop(child, pid) };
}

export async function createKey(dataDir: string, options: { account?: string; credits?: number; mode?: 'live' | 'test'; plan?: string } = {}): Promise<string> {
  const { account = 'acme', credits = 1000, mode = 'live', plan = 'pro' } = options;
  const result = await runCli(['keys', 'create', '--account', account, '--plan', plan, '--mode', mode, '--credits', String(credits), '--json'], {
    env: { FRAMEWRIGHT_DATA_DIR: dataDir },
  });
  if (result.code !== 0) throw new Error(result.stderr);
  return (JSON.parse(result.stdout) as { key: string }).key;
}

export interface JobBody {
  job_id: string;
  status: string;
  progress: number;
  stage?: string;
  output_uri?: string;
  duration_seconds?: number;
  estimated_credits: number;
  credits_used?: number;
  warnings?: string[];
  error?: { code: string; message: string };
}

export async function submit(
  service: RunningService,
  key: string,
  script: unknown,
): Promise<{ job_id: string; estimated_credits: number; credits_remaining: number }> {
  const response = await fetch(`${service.url}/api/render`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(script),
  });
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as { job_id: string; estimated_credits: number; credits_remaining: number };
}

export async function jobOf(service: RunningService, key: string, jobId: string): Promise<JobBody> {
  const response = await fetch(`${service.url}/api/jobs/${jobId}`, { headers: { 'x-api-key': key } });
  return (await response.json()) as JobBody;
}

export async function finishedJob(service: RunningService, key: string, jobId: string, timeoutMs = 60_000): Promise<JobBody> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const job = await jobOf(service, key, jobId);
    if (job.status === 'completed' || job.status === 'failed') return job;
    // An interval of 0.5 s stays within every plan's rate limit.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`job ${jobId} did not end; log: ${service.log()}`);
}

/** Only render processes, not programs that the service runs at startup. */
function workersOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent && commandOf(pid).includes('worker.js'));
}

function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    return -1;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function stop(child: ChildProcess, pid: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  process.kill(pid, 'SIGTERM');
  const insist = setTimeout(() => process.kill(pid, 'SIGKILL'), 40_000);
  await ended;
  clearTimeout(insist);
}
