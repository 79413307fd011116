import { statfs } from 'node:fs/promises';
import type { Clock } from '../../accounts/index.js';
import type { Log } from '../../jobs/index.js';

export interface DiskMonitorParts {
  folder: string;
  /** 0 disables the check. */
  minFreeBytes: number;
  clock: Clock;
  log: Log;
}

const cacheMs = 1000;

/** Free space of the file system that contains a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Returns a check for free disk space for renders, cached for a second. It logs changes; a file system that cannot be queried counts as free. */
export function createDiskMonitor({ folder, minFreeBytes, clock, log }: DiskMonitorParts): () => Promise<boolean> {
  let hasSpace = true;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (minFreeBytes === 0 || clock.monotonic() - checkedAt < cacheMs) return hasSpace;
    checkedAt = clock.monotonic();
    const free = await freeBytesOf(folder).catch(() => Number.POSITIVE_INFINITY);
    const hadSpace = hasSpace;
    hasSpace = free >= minFreeBytes;
    const fields = { free_bytes: free, needed_bytes: minFreeBytes };
    if (hadSpace && !hasSpace) log.warn(fields, 'the disk is nearly full; jobs wait until space is free');
    if (!hadSpace && hasSpace) log.info(fields, 'the disk has free space again; jobs continue');
    return hasSpace;
  };
}
