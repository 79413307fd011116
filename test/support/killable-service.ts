import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { databaseEnvironment } from './test-database.js';

const program = fileURLToPath(new URL('../fixtures/workers/serve-with-small-worker.mjs', import.meta.url));

export interface KillableService {
  address: string;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
}

/** Starts the service in a separate process with the fake render process; receivers on this machine are allowed. */
export async function startKillableService(dataDir: string, environment: Record<string, string> = {}): Promise<KillableService> {
  const own = { PATH: process.env.PATH, PORT: '0', FRAMEWRIGHT_DATA_DIR: dataDir, FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1' };
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: { ...own, ...(await databaseEnvironment(dataDir)), ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return {
    address: String(text).trim(),
    async kill() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
