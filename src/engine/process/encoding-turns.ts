import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/** How many video encoders an engine may run at once. */
export interface EncodingTurns {
  most: number;
  /** Of which so many must be idle before there are several; 0: it is not looked at. */
  cores: number;
}

/** An encoder alone keeps this many cores busy, more or less. */
const coresPerEncoder = 4;
/** Each takes the memory of one more movie. */
const mostFound = 4;

/** `auto`: several where there are cores for them, and the engine finds them idle. */
export function encodingTurns(wanted: 'auto' | number, cores: number): EncodingTurns {
  if (wanted !== 'auto') return { most: wanted, cores: 0 };
  return { most: Math.min(mostFound, Math.max(1, Math.floor(cores / coresPerEncoder))), cores };
}

/** Cores on which this process may run, or what its control group leaves of them: 1.5 where it may use three seconds in two. */
export function usableCores(): number {
  return Math.min(availableParallelism(), quota('/sys/fs/cgroup', ownGroup()));
}

/** Of version 2; all groups above have their say. */
export function quota(mount: string, group: string): number {
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
