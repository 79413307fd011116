import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { processTree } from './process-tree.js';
import { pause } from './receiver.js';

/** A PostgreSQL server with its own data folder. */
export interface PostgresServer {
  /** URL of its database `postgres`. */
  readonly url: string;
  /** Process id of the server, the parent of its other processes. */
  readonly pid: number;
  /** Sends SIGKILL to the server and its child processes. */
  kill(): Promise<void>;
  /** Starts it again with the same data on the same port. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Name of the template of all test databases. */
export const emptyDatabase = 'empty';

const debianFolder = '/usr/lib/postgresql';

/** Debian does not put the server's programs on PATH; this finds the newest version. */
function programFolder(): string {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : [];
  const folder = versions.map((version) => join(debianFolder, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  if (folder === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return folder;
}

/** PostgreSQL refuses to run as root; root uses the user of its package. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export async function createPostgresServer({ settings = [] }: { settings?: readonly string[] } = {}): Promise<PostgresServer> {
  const programs = programFolder();
  const user = serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'framewright-postgres-'));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const cluster = join(folder, 'cluster');
  execFileSync(join(programs, 'initdb'), ['-D', cluster, '-A', 'trust', '-U', 'postgres', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const given = [`listen_addresses=127.0.0.1`, `unix_socket_directories=${folder}`, ...settings].flatMap((setting) => ['-c', setting]);
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child?.pid === undefined) return;
    const exited = new Promise((resolve) => child?.once('exit', resolve));
    // The processes of its connections have groups of their own, and hold its shared memory until they end.
    const processes = signal === 'SIGKILL' ? processTree(child.pid).map(({ pid }) => pid) : [child.pid];
    for (const pid of processes) sendSignal(pid, signal);
    await exited;
    while (processes.some(isRunning)) await pause(10);
    child = undefined;
  };
  const start = async (): Promise<void> => {
    child = spawn(join(programs, 'postgres'), ['-D', cluster, '-p', String(port), ...given], { ...user, cwd: folder, detached: true, stdio: 'ignore' });
    await answers(url);
  };
  await start();
  return {
    url,
    get pid() {
      return child?.pid ?? 0;
    },
    kill: () => end('SIGKILL'),
    start,
    async remove() {
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function isRunning(pid: number): boolean {
  const state = processTree(pid)[0]?.state;
  return state !== undefined && state !== 'Z';
}

async function answers(url: string): Promise<void> {
  for (const deadline = performance.now() + 30_000; ; ) {
    const client = new pg.Client(url);
    // The server closes connections while it starts; try again.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
