import { stat } from 'node:fs/promises';

/** File systems store change times with a resolution of up to 2 s: a file changed more recently may change again without a visible difference. */
const settledMs = 2000;

/** Returns a string that differs whenever the file is written or replaced; undefined if there is no file. */
export async function fileState(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
}

/** Returns `fileState` for a file whose last change is more than 2 s before `atMs` (Unix ms); undefined otherwise. */
export async function settledState(path: string, atMs: number): Promise<string | undefined> {
  const state = await fileState(path);
  const changedNs = state?.split(':').at(-1);
  return Number(BigInt(changedNs ?? 0) / 1_000_000n) > atMs - settledMs ? undefined : state;
}
