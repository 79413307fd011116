import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/** How many video encoders an engine may run at once. */
export interface EncoderSlots {
  maxParallel: number;
  /** Of which so many must be idle before there are several; 0: it is not looked at. */
  cores: number;
}

/** An encoder alone keeps this many cores busy, more or less. */
const CORES_PER_ENCODER = 4;
/** Each takes the memory of one more movie. */
const MAX_AUTO_ENCODERS = 4;

/** `auto`: several where there are cores for them, and the engine finds them idle. */
export function encoderSlots(wanted: 'auto' | number, cores: number): EncoderSlots {
  if (wanted !== 'auto') return { maxParallel: wanted, cores: 0 };
  return { maxParallel: Math.min(MAX_AUTO_ENCODERS, Math.max(1, Math.floor(cores / CORES_PER_ENCODER))), cores };
}

/** Cores on which this process may run, or what its control group leaves of them: 1.5 where it may use three seconds in two. */
export function usableCores(): number {
  return Math.min(availableParallelism(), cgroupCpuQuota('/sys/fs/cgroup', ownGroup()));
}

/** Of version 2; all groups above have their say. */
export function cgroupCpuQuota(mount: string, group: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = group; ; at = dirname(at)) {
    const [max, period] = read(join(mount, at, 'cpu.max'))
      .split(' ')
      .map(Number);
    if (max !== undefined && period !== undefined && max > 0 && period > 0) least = Math.min(least, max / period);
    if (at === dirname(at)) return least;
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
