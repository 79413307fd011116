import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/** How many video encoders an engine may run in parallel. */
export interface EncoderSlots {
  maxParallel: number;
  /** Cores of the host; further encoders only start while enough of them are idle. 0: idle cores are not checked. */
  cores: number;
}

/** Cores that one encoder keeps busy on average. */
const CORES_PER_ENCODER = 4;
/** Limits memory: each encoder needs as much as a movie. */
const MAX_AUTO_ENCODERS = 4;

/** `auto`: one encoder per `CORES_PER_ENCODER` cores. */
export function encoderSlots(wanted: 'auto' | number, cores: number): EncoderSlots {
  if (wanted !== 'auto') return { maxParallel: wanted, cores: 0 };
  return { maxParallel: Math.min(MAX_AUTO_ENCODERS, Math.max(1, Math.floor(cores / CORES_PER_ENCODER))), cores };
}

/** Cores that this process may use: its CPU affinity, limited by the cgroup's CPU quota; may be fractional. */
export function usableCores(): number {
  return Math.min(availableParallelism(), cgroupCpuQuota('/sys/fs/cgroup', ownGroup()));
}

/** CPU quota of a cgroup v2 and its ancestors, in cores; Infinity without a quota. */
export function cgroupCpuQuota(mount: string, group: string): number {
  let quota = Number.POSITIVE_INFINITY;
  for (let at = group; ; at = dirname(at)) {
    const [max, period] = read(join(mount, at, 'cpu.max'))
      .split(' ')
      .map(Number);
    if (max !== undefined && period !== undefined && max > 0 && period > 0) quota = Math.min(quota, max / period);
    if (at === dirname(at)) return quota;
  }
}

function ownGroup(): string {
  return /^0::(\/.*)$/m.exec(read('/proc/self/cgroup'))?.[1] ?? '/';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
