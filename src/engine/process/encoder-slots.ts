import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

/** How many video encoders an engine may run in parallel. */
export interface EncoderSlots {
  maxParallel: number;
  /** How many segments to render in parallel for encoders on graphics cards, whose sessions the engine limits by itself. */
  maxParallelOnCards: number;
  /** Cores of the host; further encoders only start while enough of them are idle. 0: idle cores are not checked. */
  cores: number;
}

/** Cores that one encoder keeps busy on average. */
const CORES_PER_ENCODER = 4;
/** Limits memory: each encoder needs as much as a movie. */
const MAX_AUTO_ENCODERS = 4;

/** Segments per card: one session encodes while another waits for frames. */
const SEGMENTS_PER_CARD = 2;
/** A segment for a card keeps fewer cores busy than an encoder on the CPU. */
const CORES_PER_CARD_SEGMENT = 2;

/** `auto`: one encoder per `CORES_PER_ENCODER` cores, and `SEGMENTS_PER_CARD` for each of `cards` as far as there are cores. */
export function encoderSlots(wanted: 'auto' | number, cores: number, cards = 0): EncoderSlots {
  if (wanted !== 'auto') return { maxParallel: wanted, maxParallelOnCards: wanted, cores: 0 };
  const maxParallel = Math.min(MAX_AUTO_ENCODERS, Math.max(1, Math.floor(cores / CORES_PER_ENCODER)));
  const onCards = Math.min(SEGMENTS_PER_CARD * cards, Math.floor(cores / CORES_PER_CARD_SEGMENT));
  return { maxParallel, maxParallelOnCards: Math.max(maxParallel, onCards), cores };
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
