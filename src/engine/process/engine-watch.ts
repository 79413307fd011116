import { readFileSync } from 'node:fs';
import type { EngineLost, Loss } from './engine-lost.js';

export interface WatchTiming {
  lookMs: number;
  /** How long the process may say nothing at all. */
  silentMs: number;
  /** How long it may have work in hand and get no further. */
  stalledMs: number;
}

/** Together with a look every now and then: less than the minute that a job may hang. */
export const watchTiming: Readonly<WatchTiming> = Object.freeze({ lookMs: 500, silentMs: 30_000, stalledMs: 55_000 });

export interface Watched {
  pid: number;
  memoryMb: number;
  isBusy: () => boolean;
  end: (loss: EngineLost['loss'], detail: string) => void;
}

/** What the messages of a process that merely lives add up to in that time stays well below. */
const someBytes = 32 * 1024;

/** Notices an engine process that hangs, or that takes too much memory. */
export class EngineWatch {
  readonly #watched: Watched;
  readonly #timing: WatchTiming;
  readonly #timer: NodeJS.Timeout;
  #heardAt = performance.now();
  #movedAt = performance.now();
  #lookedAt = performance.now();
  /** Since it got no further. */
  #bytesAtStall: number | undefined;

  constructor(watched: Watched, timing: WatchTiming) {
    this.#watched = watched;
    this.#timing = timing;
    this.#timer = setInterval(() => this.#look(), timing.lookMs).unref();
  }

  /** It said something; `moved`: that work goes on. */
  heard(moved: boolean): void {
    this.#heardAt = performance.now();
    if (!moved) return;
    this.#movedAt = this.#heardAt;
    this.#bytesAtStall = undefined;
  }

  /** A call failed. Memory that was refused fails a call in many ways, and between two looks: true when that was it, and ends the process. */
  failed(): boolean {
    const { pid, memoryMb } = this.#watched;
    const finding = findExcess(mostResidentMb(pid), memoryMb);
    if (finding !== undefined) this.#watched.end(finding.loss, finding.detail);
    return finding !== undefined;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    // This process itself stood still (a suspended machine, Ctrl-Z): what it did not hear meanwhile says nothing.
    if (now - this.#lookedAt > this.#timing.lookMs + 5000) this.heard(true);
    this.#lookedAt = now;
    const finding = this.#findSilence(now) ?? this.#findStall(now) ?? this.#findExcess();
    if (finding !== undefined) this.#watched.end(finding.loss, finding.detail);
  }

  #findSilence(now: number): Finding | undefined {
    const silentMs = now - this.#heardAt;
    if (silentMs <= this.#timing.silentMs) return undefined;
    return { loss: 'hang', detail: `the engine process has said nothing for ${Math.round(silentMs / 1000)} s` };
  }

  #findStall(now: number): Finding | undefined {
    if (!this.#watched.isBusy()) {
      this.#movedAt = now;
      this.#bytesAtStall = undefined;
      return undefined;
    }
    const stalledMs = now - this.#movedAt;
    if (stalledMs <= this.#timing.stalledMs / 2) return undefined;
    // Looking for a place in a long file tells no progress, but reads.
    const bytes = bytesMoved(this.#watched.pid);
    this.#bytesAtStall ??= bytes;
    if (bytes - this.#bytesAtStall > someBytes) {
      this.heard(true);
      return undefined;
    }
    if (stalledMs <= this.#timing.stalledMs) return undefined;
    return { loss: 'hang', detail: `the engine process made no progress for ${Math.round(stalledMs / 1000)} s` };
  }

  #findExcess(): Finding | undefined {
    const { pid, memoryMb, isBusy } = this.#watched;
    return isBusy() ? findExcess(residentMb(pid), memoryMb) : undefined;
  }
}

interface Finding {
  loss: Loss;
  detail: string;
}

function findExcess(usedMb: number, allowedMb: number): Finding | undefined {
  return usedMb > allowedMb ? { loss: 'memory', detail: `the engine process used ${Math.round(usedMb)} MB; ${allowedMb} are allowed` } : undefined;
}

/** Bytes that a process has read and written. */
function bytesMoved(pid: number): number {
  const text = readProcess(pid, 'io');
  const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return count('rchar') + count('wchar');
}

function residentMb(pid: number): number {
  return statusMb(pid, 'VmRSS');
}

/** Since it started. */
function mostResidentMb(pid: number): number {
  return statusMb(pid, 'VmHWM');
}

function statusMb(pid: number, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readProcess(pid, 'status'))?.[1] ?? 0) / 1024;
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
