import { ioBytes, peakResidentMb, residentMb } from '../child-processes/index.js';
import type { EngineExitError, EngineExitReason } from './engine-exit-error.js';

export interface WatchdogTiming {
  intervalMs: number;
  /** Longest time without any message. */
  heartbeatTimeoutMs: number;
  /** Longest time with pending work but without progress. */
  stallTimeoutMs: number;
}

/** Limits plus one interval stay below the minute after which a job counts as hung. */
export const defaultTiming: Readonly<WatchdogTiming> = Object.freeze({ intervalMs: 500, heartbeatTimeoutMs: 30_000, stallTimeoutMs: 55_000 });

interface WatchedProcess {
  pid: number;
  memoryMb: number;
  isBusy: () => boolean;
  kill: (reason: EngineExitError['reason'], detail: string) => void;
}

/** Heartbeats alone stay well below this amount of I/O within the stall timeout. */
const IDLE_TRAFFIC_BYTES = 32 * 1024;

/** Kills an engine process that hangs or exceeds its memory limit. */
export class EngineWatchdog {
  readonly #watched: WatchedProcess;
  readonly #timing: WatchdogTiming;
  readonly #timer: NodeJS.Timeout;
  #lastMessageAt = performance.now();
  #lastProgressAt = performance.now();
  #lastCheckAt = performance.now();
  /** Bytes read and written when the stall was first noticed. */
  #bytesAtStall: number | undefined;

  constructor(watched: WatchedProcess, timing: WatchdogTiming) {
    this.#watched = watched;
    this.#timing = timing;
    this.#timer = setInterval(() => this.#check(), timing.intervalMs).unref();
  }

  /** Call for every message; `moved` is true for any message but a heartbeat. */
  noteMessage(moved: boolean): void {
    this.#lastMessageAt = performance.now();
    if (!moved) return;
    this.#lastProgressAt = this.#lastMessageAt;
    this.#bytesAtStall = undefined;
  }

  /** Call when a call failed: true when the memory limit was exceeded since the start; then the process is killed. */
  checkMemory(): boolean {
    const { pid, memoryMb } = this.#watched;
    const finding = findExcess(peakResidentMb(pid), memoryMb);
    if (finding !== undefined) this.#watched.kill(finding.reason, finding.detail);
    return finding !== undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    // This process itself was suspended (sleep, Ctrl-Z), so missing messages mean nothing.
    if (now - this.#lastCheckAt > this.#timing.intervalMs + 5000) this.noteMessage(true);
    this.#lastCheckAt = now;
    const finding = this.#findSilence(now) ?? this.#findStall(now) ?? this.#findExcess();
    if (finding !== undefined) this.#watched.kill(finding.reason, finding.detail);
  }

  #findSilence(now: number): Finding | undefined {
    const silentMs = now - this.#lastMessageAt;
    if (silentMs <= this.#timing.heartbeatTimeoutMs) return undefined;
    return { reason: 'hang', detail: `the engine process has sent no message for ${Math.round(silentMs / 1000)} s` };
  }

  #findStall(now: number): Finding | undefined {
    if (!this.#watched.isBusy()) {
      this.#lastProgressAt = now;
      this.#bytesAtStall = undefined;
      return undefined;
    }
    const stalledMs = now - this.#lastProgressAt;
    if (stalledMs <= this.#timing.stallTimeoutMs / 2) return undefined;
    // Seeking in a long file reports no progress but reads.
    const bytes = ioBytes(this.#watched.pid);
    this.#bytesAtStall ??= bytes;
    if (bytes - this.#bytesAtStall > IDLE_TRAFFIC_BYTES) {
      this.noteMessage(true);
      return undefined;
    }
    if (stalledMs <= this.#timing.stallTimeoutMs) return undefined;
    return { reason: 'hang', detail: `the engine process made no progress for ${Math.round(stalledMs / 1000)} s` };
  }

  #findExcess(): Finding | undefined {
    const { pid, memoryMb, isBusy } = this.#watched;
    return isBusy() ? findExcess(residentMb(pid), memoryMb) : undefined;
  }
}

interface Finding {
  reason: EngineExitReason;
  detail: string;
}

function findExcess(usedMb: number, allowedMb: number): Finding | undefined {
  return usedMb > allowedMb ? { reason: 'memory', detail: `the engine process used ${Math.round(usedMb)} MB; ${allowedMb} are allowed` } : undefined;
}
