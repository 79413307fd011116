import { statfs } from 'node:fs/promises';
import type { Clock } from '../../accounts/index.js';
import type { Log } from '../../jobs/index.js';

export interface DiskRoomParts {
  folder: string;
  /** 0: there is always room. */
  minFreeBytes: number;
  clock: Clock;
  log: Log;
}

/** Looks at most once in so long. */
const keepMs = 1000;

/** Whether there is room on the disk for what a render writes; says in the log when that changes. A disk that cannot be asked counts as one with room. */
export function createDiskRoom({ folder, minFreeBytes, clock, log }: DiskRoomParts): () => Promise<boolean> {
  let hasRoom = true;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (minFreeBytes === 0 || clock.monotonic() - lookedAt < keepMs) return hasRoom;
    lookedAt = clock.monotonic();
    const free = await statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.POSITIVE_INFINITY,
    );
    const had = hasRoom;
    hasRoom = free >= minFreeBytes;
    const facts = { free_bytes: free, needed_bytes: minFreeBytes };
    if (had && !hasRoom) log.warn(facts, 'the disk is nearly full: jobs wait until there is room');
    if (!had && hasRoom) log.info(facts, 'there is room on the disk again: jobs go on');
    return hasRoom;
  };
}
