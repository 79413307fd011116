import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { killGroup } from './process-status.js';

/** How to start a worker process and where its messages go. */
export interface WorkerProcessOptions<Received> {
  scriptPath: string;
  environment: Readonly<Record<string, string>>;
  /** `advanced` allows buffers in messages. Default: `json`. */
  serialization?: 'json' | 'advanced';
  /** Niceness, 0..19. Default: below normal, for background work. */
  niceness?: number;
  onMessage: (message: Received) => void;
  /** Called once, after the last message. */
  onExit: (reason: string) => void;
}

/** A Node child process that exchanges messages with the service. It leads a process group, so its own children end with it. */
export class WorkerProcess<Sent extends object, Received> {
  readonly #child: ChildProcess;
  #exited = false;
  /** Resolves after `onExit`; never rejects. */
  readonly exited: Promise<void>;

  constructor(options: WorkerProcessOptions<Received>) {
    this.#child = fork(options.scriptPath, [], {
      env: { ...options.environment },
      execArgv: [],
      detached: true,
      serialization: options.serialization ?? 'json',
      // Standard output carries only the service's ready line; workers log to standard error.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    // The start runs at normal priority because clients wait for it.
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
      // 'close' follows the last message; 'exit' may precede it.
      this.#child.once('close', (code, signal) => finish(signal === null ? `exit code ${code}` : `signal ${signal}`));
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) finish(error.message);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a message. Errors are ignored: a child with a closed channel is about to exit. */
  send(message: Sent): void {
    if (this.#child.connected) this.#child.send(message as Serializable, () => {});
  }

  /** Sends SIGKILL to the process group. */
  kill(): void {
    if (!this.#exited) killGroup(this.pid);
  }

  /** Gives the service's requests precedence over rendering. Threads and children of the process inherit the priority. */
  #lowerPriority(niceness: number): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      setPriority(pid, niceness);
      // With Linux autogroups a niceness only counts within its own session.
      writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
    } catch {
      // The process has exited, or the system has no autogroups.
    }
  }
}
