import { fork, type Serializable } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { SupervisedProcess, type SupervisedProcessOptions } from './supervised-process.js';

/** How to start a worker process and where its messages go. */
export interface WorkerProcessOptions<Received> extends Omit<SupervisedProcessOptions, 'start' | 'leadsGroup'> {
  scriptPath: string;
  environment: Readonly<Record<string, string>>;
  /** `advanced` allows buffers in messages. Default: `json`. */
  serialization?: 'json' | 'advanced';
  /** Niceness, 0..19. Default: below normal, for background work. */
  niceness?: number;
  onMessage: (message: Received) => void;
}

/** A Node child process that exchanges messages with the service. It leads a process group, so its own children end with it. */
export class WorkerProcess<Sent extends object, Received> extends SupervisedProcess {
  constructor({ scriptPath, environment, serialization = 'json', niceness, onMessage, ...supervision }: WorkerProcessOptions<Received>) {
    // Standard output carries only the service's ready line; workers log to standard error.
    const spawning = { env: { ...environment }, execArgv: [], detached: true, serialization, stdio: ['ignore', 2, 2, 'ipc'] as ['ignore', 2, 2, 'ipc'] };
    super({ ...supervision, leadsGroup: true, start: () => fork(scriptPath, [], spawning) });
    // The start runs at normal priority because clients wait for it.
    this.child?.once('message', () => this.#lowerPriority(niceness ?? constants.priority.PRIORITY_BELOW_NORMAL));
    this.child?.on('message', (message) => {
      this.noteMessage();
      onMessage(message as Received);
    });
  }

  /** Sends a message. Errors are ignored: a child with a closed channel is about to exit. */
  send(message: Sent): void {
    if (this.child?.connected) this.child.send(message as Serializable, () => {});
  }

  /** Gives the service's requests precedence over rendering. Threads and children of the process inherit the priority. */
  #lowerPriority(niceness: number): void {
    const { pid } = this;
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
