import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The most that a key may be given. */
const plenty = '1000000';

/** The service as it is started in production, with its data in a folder of its own. */
export async function startService(workers) {
  const dataDir = await mkdtemp(join(tmpdir(), 'framewright-bench-'));
  const environment = { ...process.env, HOST: '127.0.0.1', PORT: '0', FRAMEWRIGHT_DATA_DIR: dataDir, FRAMEWRIGHT_WORKERS: String(workers) };
  const program = await startProgram([join(root, 'dist', 'main.js')], environment);
  return {
    ...program,
    createKey: (mode = 'live') => createKey(environment, mode),
    readBooks: () => readBooks(join(dataDir, 'framewright.db')),
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

/** Of all its threads, in user and kernel mode. */
function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function createKey(env, mode) {
  const limits = ['--plan', 'enterprise', '--requests-per-minute', plenty, '--concurrent-jobs', plenty];
  const args = [join(root, 'dist', 'cli', 'main.js'), 'keys', 'create', '--account', mode, '--mode', mode, '--credits', '999999999', ...limits, '--json'];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).key;
}

/** Reads the database after all processes have closed it. */
function readBooks(path) {
  const database = new SqliteDatabase(path, { readonly: true });
  const jobs = new Set(database.prepare('select id from jobs').pluck().all());
  const debited = -database.prepare("select coalesce(sum(amount), 0) from ledger_entries where kind = 'hold'").pluck().get();
  const wrong = database
    .prepare('select count(*) from accounts where balance <> (select coalesce(sum(amount), 0) from ledger_entries where account_id = accounts.id)')
    .pluck()
    .get();
  const sound = database.pragma('integrity_check', { simple: true }) === 'ok';
  database.close();
  return { jobs, debited, wrong, sound };
}
