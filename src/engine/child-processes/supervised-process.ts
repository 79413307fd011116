import type { ChildProcess } from 'node:child_process';
import { ioBytes, killGroup, peakResidentMb, residentMb } from './process-status.js';

/** Limits of a process; those that are missing are not checked. Times in milliseconds. */
export interface ProcessLimits {
  /** Interval of the checks. Default: 500. */
  checkIntervalMs?: number;
  /** Longest time without a message while the process is busy. */
  heartbeatTimeoutMs?: number;
  /** Longest time without progress while the process is busy; reading and writing count as progress. */
  stallTimeoutMs?: number;
  /** Resident memory in MiB of the process itself, without its children. */
  memoryMb?: number;
}

/** Why a process was lost: what it violated, or how it ended by itself. */
export interface ProcessLoss {
  /** `exit`: by itself; `start`: it did not start; `breach`: it broke the protocol; `stopped`: its owner ended it. */
  reason: 'exit' | 'start' | 'hang' | 'memory' | 'breach' | 'stopped';
  /** A predicate without its subject: "sent no heartbeat for 30 s". */
  detail: string;
  /** The error of `start`. */
  cause?: unknown;
}

/** How a process ended. */
export interface ProcessEnd extends ProcessLoss {
  /** Null after a signal, or when the process could not be spawned. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** `exit code 1`, `signal SIGKILL`, or why the process could not be spawned. */
  status: string;
}

/** How to start a process, and what it must keep to. */
export interface SupervisedProcessOptions extends ProcessLimits {
  start: () => ChildProcess;
  /** The process leads a group (`detached`), which is killed as a whole. */
  leadsGroup: boolean;
  /** Whether work is in progress. Default: never. */
  isBusy?: () => boolean;
  /** The process sends heartbeats while it is idle, too. */
  beatsWhenIdle?: boolean;
  /** Called once, as soon as the process is killed or has ended by itself. */
  onLoss?: (loss: ProcessLoss & Partial<ProcessEnd>) => void;
}

/** Heartbeats alone stay well below this amount of I/O within the stall timeout. */
const IDLE_TRAFFIC_BYTES = 32 * 1024;
/** A check that is this much late shows that this process itself was suspended (sleep, Ctrl-Z). */
const SUSPENDED_MS = 5000;

/**
 * Supervises one child process of any kind: kills it when it hangs, stalls, misses a deadline or exceeds its memory limit, stops it
 * gracefully, and reports how it ended. Its owner starts the next one.
 */
export class SupervisedProcess {
  /** Undefined when it could not be spawned. */
  readonly child: ChildProcess | undefined;
  /** Resolves when the process is gone and its last message was received; never rejects. */
  readonly exited: Promise<ProcessEnd>;
  readonly #options: SupervisedProcessOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  #loss: ProcessLoss | undefined;
  #deadline: { at: number; loss: ProcessLoss } | undefined;
  #lastMessageAt = performance.now();
  #lastProgressAt = this.#lastMessageAt;
  #lastCheckAt = this.#lastMessageAt;
  /** Bytes read and written when the stall was first noticed. */
  #bytesAtStall: number | undefined;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
    let spawnError: unknown;
    try {
      this.child = options.start();
    } catch (error) {
      spawnError = error;
    }
    this.exited = new Promise((resolve) => {
      const end = (loss: ProcessLoss, status: string, code: number | null = null, signal: NodeJS.Signals | null = null): void => {
        clearInterval(this.#timer);
        const isNew = this.#loss === undefined;
        this.#loss ??= loss;
        if (isNew) options.onLoss?.({ ...loss, code, signal, status });
        resolve({ ...this.#loss, code, signal, status });
      };
      const failToStart = (error: unknown): void => {
        const status = error instanceof Error ? error.message : String(error);
        end({ reason: 'start', detail: `could not be started: ${status}`, cause: error }, status);
      };
      // Later, so that the caller has this object when `onLoss` is called.
      if (spawnError !== undefined) queueMicrotask(() => failToStart(spawnError));
      this.child?.on('error', (error) => {
        if (this.pid === undefined) failToStart(error);
      });
      // Children must not outlive it; they may also hold its pipes open.
      this.child?.once('exit', () => options.leadsGroup && killGroup(this.pid));
      // 'close' follows the last message; 'exit' may precede it.
      this.child?.once('close', (code, signal) => {
        const status = signal === null ? `exit code ${code}` : `signal ${signal}`;
        end({ reason: 'exit', detail: `ended with ${status}` }, status, code, signal);
      });
    });
    if (this.pid !== undefined) this.#timer = setInterval(() => this.#check(), this.#checkIntervalMs).unref();
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Call for every message and when work begins; `isProgress` is false for a mere heartbeat. */
  noteMessage(isProgress = true): void {
    this.#lastMessageAt = performance.now();
    if (!isProgress) return;
    this.#lastProgressAt = this.#lastMessageAt;
    this.#bytesAtStall = undefined;
  }

  /** Kills the process in `timeoutMs` unless the deadline is cleared or replaced before. */
  setDeadline(timeoutMs: number, loss: ProcessLoss): void {
    this.#deadline = { at: performance.now() + timeoutMs, loss };
  }

  clearDeadline(): void {
    this.#deadline = undefined;
  }

  /** Kills the process, with its group if it leads one. Without `loss` it counts as stopped by its owner. */
  kill(loss: ProcessLoss = { reason: 'stopped', detail: 'was stopped' }): void {
    clearInterval(this.#timer);
    if (this.#loss === undefined) {
      this.#loss = loss;
      this.#options.onLoss?.(loss);
    }
    if (!this.#options.leadsGroup) this.child?.kill('SIGKILL');
    else if (this.child?.exitCode === null && this.child.signalCode === null) killGroup(this.pid);
  }

  /** Asks the process to end, and kills it if it has not ended in time. */
  async stop(ask: () => void, timeoutMs: number): Promise<void> {
    this.setDeadline(timeoutMs, { reason: 'stopped', detail: 'was stopped' });
    ask();
    await this.exited;
  }

  /** Whether the process has exceeded its memory limit since its start, e.g. in a call that failed; then it is killed. */
  killIfTooLarge(): boolean {
    const loss = this.#findExcess(peakResidentMb);
    if (loss !== undefined) this.kill(loss);
    return loss !== undefined;
  }

  get #checkIntervalMs(): number {
    return this.#options.checkIntervalMs ?? 500;
  }

  #check(): void {
    const now = performance.now();
    const suspendedMs = now - this.#lastCheckAt - this.#checkIntervalMs;
    this.#lastCheckAt = now;
    // Missing messages mean nothing then.
    if (suspendedMs > SUSPENDED_MS) {
      this.noteMessage();
      if (this.#deadline !== undefined) this.#deadline.at += suspendedMs;
    }
    const isBusy = this.#options.isBusy?.() ?? false;
    if (!isBusy) this.#noteIdle(now);
    const loss = this.#findMissedDeadline(now) ?? this.#findSilence(now) ?? (isBusy ? this.#findStall(now) : undefined) ?? this.#findExcess(residentMb);
    if (loss !== undefined) this.kill(loss);
  }

  #noteIdle(now: number): void {
    this.#lastProgressAt = now;
    this.#bytesAtStall = undefined;
    if (this.#options.beatsWhenIdle !== true) this.#lastMessageAt = now;
  }

  #findMissedDeadline(now: number): ProcessLoss | undefined {
    return this.#deadline !== undefined && now >= this.#deadline.at ? this.#deadline.loss : undefined;
  }

  #findSilence(now: number): ProcessLoss | undefined {
    const silentMs = now - this.#lastMessageAt;
    if (silentMs <= (this.#options.heartbeatTimeoutMs ?? Number.POSITIVE_INFINITY)) return undefined;
    return { reason: 'hang', detail: `sent no heartbeat for ${Math.round(silentMs / 1000)} s` };
  }

  #findStall(now: number): ProcessLoss | undefined {
    const { stallTimeoutMs } = this.#options;
    const stalledMs = now - this.#lastProgressAt;
    if (this.pid === undefined || stallTimeoutMs === undefined || stalledMs <= stallTimeoutMs / 2) return undefined;
    // Seeking in a long file reports no progress but reads.
    const bytes = ioBytes(this.pid);
    this.#bytesAtStall ??= bytes;
    if (bytes - this.#bytesAtStall > IDLE_TRAFFIC_BYTES) this.noteMessage();
    else if (stalledMs > stallTimeoutMs) return { reason: 'hang', detail: `made no progress for ${Math.round(stalledMs / 1000)} s` };
    return undefined;
  }

  #findExcess(measure: (pid: number) => number): ProcessLoss | undefined {
    const { memoryMb } = this.#options;
    if (this.pid === undefined || memoryMb === undefined) return undefined;
    const usedMb = measure(this.pid);
    if (usedMb <= memoryMb) return undefined;
    return { reason: 'memory', detail: `used ${Math.round(usedMb)} MB of memory; at most ${memoryMb} MB are allowed` };
  }
}
