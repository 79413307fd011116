import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The most that a key may be given. */
const plenty = '1000000';

/** The service as it is started in production, with its data in a folder of its own; `database` are variables that choose another database, `folder` another built checkout. */
export async function startService(workers, database = {}, folder = root) {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-bench-'));
  const environment = { ...process.env, HOST: '127.0.0.1', PORT: '0', FRAMEWRIGHT_DATA_DIR: dataDir, FRAMEWRIGHT_WORKERS: String(workers), ...database };
  const program = await startProgram([join(folder, 'dist', 'main.js')], environment);
  return {
    ...program,
    createKey: (mode = 'live', account = mode) => createKey(folder, environment, mode, account),
    memoryBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.child.pid}/status`, 'utf8'))[1]) * 1024,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

export function startHello() {
  return startProgram([fileURLToPath(new URL('hello.mjs', import.meta.url))], process.env);
}

async function startProgram(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(([code]) => Promise.reject(new Error(`it exited with ${code}`)))]);
  const stop = async (signal = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return { child, cpuSeconds: () => cpuSecondsOf(child.pid), url: /http:\S+/.exec(String(text))[0], stop };
}

/** CPU time of all threads of a process in user and kernel mode; with `children`, also that of its child processes that have exited. */
export function cpuSecondsOf(pid, children = false) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .split(') ')[1]
    .split(' ')
    .slice(11, children ? 15 : 13);
  const ticksPerSecond = 100;
  return fields.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

function createKey(folder, env, mode, account) {
  const limits = ['--plan', 'enterprise', '--requests-per-minute', plenty, '--concurrent-jobs', plenty];
  const args = [join(folder, 'dist', 'cli', 'main.js'), 'keys', 'create', '--account', account, '--mode', mode, '--credits', '999999999', ...limits, '--json'];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).key;
}
