import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childrenOf, inContainer } from '../pid-namespace.js';
import { type PostgresProxy, startPostgresProxy } from '../postgres-proxy.js';
import { pause } from '../receiver.js';
import type { History } from './history.js';

const program = fileURLToPath(new URL('../../fixtures/workers/serve-with-small-worker.mjs', import.meta.url));
/** Shifts the clock of a process, in C as in JavaScript, by what its file says; the monotonic clock stays. */
const clockLibrary = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib/faketime']
  .flatMap((folder) => [join(folder, 'faketime/libfaketime.so.1'), join(folder, 'libfaketime.so.1')])
  .find(existsSync);

/** Short times, so that a history waits for an expired lease a few seconds. */
const timing = {
  timing: {
    publishMs: 500,
    persistMs: 300,
    renewMs: 800,
    silentMs: 8000,
    leaseMarginMs: -4000,
    sweepMs: 500,
    pollMs: 500,
    restartMinMs: 50,
    restartMaxMs: 500,
  },
  deliveryTiming: { webhookTimeoutMs: 1500, webhookPersistMarginMs: 1500, exportLeaseMs: 6000 },
  lastAnswersMs: 1000,
};

export interface HostOptions {
  index: number;
  isolation: History['isolation'];
  folder: string;
  sharedOutputs: string;
  databaseUrl: string;
  /** Build of the service; default: dist/. */
  dist?: string | undefined;
  /** Render process; default: the small one. */
  worker?: string | undefined;
  environment?: Record<string, string>;
}

/** A service process of a fleet, behind its own proxy to the database. */
export class Host {
  readonly proxy: PostgresProxy;
  readonly #options: HostOptions;
  readonly #clockFile: string;
  #child: ChildProcess | undefined;
  #address: string | undefined;
  /** The last lines of its log. */
  readonly log: string[] = [];

  private constructor(options: HostOptions, proxy: PostgresProxy) {
    this.#options = options;
    this.proxy = proxy;
    this.#clockFile = join(options.folder, 'clock');
  }

  static async create(options: HostOptions): Promise<Host> {
    if (clockLibrary === undefined) throw new Error('libfaketime is not installed: apt-get install faketime');
    await mkdir(options.folder, { recursive: true });
    await symlink(options.sharedOutputs, join(options.folder, 'outputs'));
    const host = new Host(options, await startPostgresProxy(options.databaseUrl));
    await host.setClock(0);
    return host;
  }

  /** Undefined while it is down. */
  get address(): string | undefined {
    return this.#address;
  }

  /** Starts it; while the database is out of reach, again and again. */
  async start(): Promise<void> {
    for (const deadline = performance.now() + 60_000; ; await pause(200)) {
      try {
        return await this.#startOnce();
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
    }
  }

  async #startOnce(): Promise<void> {
    const { isolation, folder, index, dist, worker, environment } = this.#options;
    const service = [process.execPath, program];
    const [command = '', ...args] = isolation === 'containers' ? inContainer(service) : service;
    const child = spawn(command, args, {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: '0',
        HOST: '127.0.0.1',
        DATABASE_URL: this.proxy.url,
        FRAMEWRIGHT_DATA_DIR: folder,
        FRAMEWRIGHT_WORKERS: '1',
        FRAMEWRIGHT_PREVIEW_WORKERS: '0',
        FRAMEWRIGHT_SANDBOX: 'off',
        FRAMEWRIGHT_MIN_FREE_DISK_MB: '0',
        FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
        FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS: Array.from({ length: 12 }, () => '0.3').join(','),
        LD_PRELOAD: clockLibrary,
        FAKETIME_TIMESTAMP_FILE: this.#clockFile,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        // Its shared memory is named by process ids, which containers share.
        FAKETIME_DISABLE_SHM: '1',
        TEST_TIMING: JSON.stringify(timing),
        ...(dist !== undefined && { TEST_DIST: dist }),
        ...(worker !== undefined && { TEST_WORKER: worker }),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log.push(text);
      if (this.log.length > 400) this.log.shift();
      void appendFile(join(folder, 'log'), text);
    });
    const exited = once(child, 'exit').then(() => {
      throw new Error(`host ${index} exited at its start: ${this.log.slice(-20).join('')}`);
    });
    const [text] = await Promise.race([once(child.stdout, 'data'), exited]);
    exited.catch(() => {});
    this.#address = String(text).trim();
  }

  /** Sends SIGKILL; resolves after the exit. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Sends SIGTERM, after 15 s SIGKILL; resolves after the exit. */
  async terminate(): Promise<void> {
    const insist = setTimeout(() => this.#signal('SIGKILL'), 15_000);
    await this.#end('SIGTERM');
    clearTimeout(insist);
  }

  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Kills one of its render processes; false if there is none. */
  killWorker(): boolean {
    const [worker] = childrenOf(this.#pid ?? -1);
    if (worker !== undefined) process.kill(worker, 'SIGKILL');
    return worker !== undefined;
  }

  /** Sets its wall clock forward or back, within a second. */
  async setClock(seconds: number): Promise<void> {
    await writeFile(this.#clockFile, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  }

  /** Names of temporary folders of attempts. */
  async listWorkFolders(): Promise<string[]> {
    return (await readdir(join(this.#options.folder, 'work'))).filter((name) => !name.startsWith('engine-'));
  }

  async close(): Promise<void> {
    await this.kill();
    await this.proxy.close();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#address = undefined;
    if (child === undefined) return;
    const exited = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit');
    this.#signal(signal);
    if (signal === 'SIGKILL') child.kill('SIGKILL');
    await exited;
    this.#child = undefined;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#pid === undefined) return;
    try {
      process.kill(this.#pid, signal);
    } catch {
      // It has exited.
    }
  }

  /** The process id of the service, as this process sees it. */
  get #pid(): number | undefined {
    const pid = this.#child?.pid;
    if (pid === undefined || this.#options.isolation === 'processes') return pid;
    return childrenOf(pid)[0];
  }
}
