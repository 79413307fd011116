import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { killGroup } from './process-status.js';

export interface WorkerProcessOptions<Received> {
  scriptPath: string;
  environment: Readonly<Record<string, string>>;
  /** `advanced`: messages may hold bytes. Default: JSON. */
  serialization?: 'json' | 'advanced';
  /** How much it yields to the service, 0..19. Default: as work for which nobody sits and waits. */
  niceness?: number;
  onMessage: (message: Received) => void;
  /** Once, after the last message. */
  onExit: (reason: string) => void;
}

/** One child process of the service, which works for it. It leads a process group, so whatever it started dies with it. */
export class WorkerProcess<Sent extends object, Received> {
  readonly #child: ChildProcess;
  #exited = false;
  readonly exited: Promise<void>;

  constructor(options: WorkerProcessOptions<Received>) {
    this.#child = fork(options.scriptPath, [], {
      env: { ...options.environment },
      execArgv: [],
      detached: true,
      serialization: options.serialization ?? 'json',
      // Standard output belongs to the service's one line; its processes log where the service logs.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    // Not before: a start is something that clients wait for.
    this.#child.once('message', () => this.#lowerPriority(options.niceness ?? constants.priority.PRIORITY_BELOW_NORMAL));
    this.#child.on('message', (message) => options.onMessage(message as Received));
    this.exited = new Promise((resolve) => {
      const finish = (reason: string): void => {
        if (this.#exited) return;
        this.#exited = true;
        killGroup(this.pid);
        options.onExit(reason);
        resolve();
      };
      // Not 'exit': 'close' comes after the last message was delivered.
      this.#child.once('close', (code, signal) => finish(signal === null ? `exit code ${code}` : `signal ${signal}`));
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) finish(error.message);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** A child that can not be reached is about to exit, and its exit is what counts. */
  send(message: Sent): void {
    if (this.#child.connected) this.#child.send(message as Serializable, () => {});
  }

  /** At once, with everything that it started. */
  kill(): void {
    if (!this.#exited) killGroup(this.pid);
  }

  /** Its work takes all the cores there are; answers to clients go first. Threads and programs of the process inherit its priority. */
  #lowerPriority(niceness: number): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      setPriority(pid, niceness);
      // Where Linux shares the cores among sessions first, a priority counts only beside the others of its own session.
      writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
    } catch {
      // It is gone, or this system has no such thing.
    }
  }
}
