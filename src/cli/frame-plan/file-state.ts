import { stat } from 'node:fs/promises';

/** File systems tell the time of a change by the second or two at worst: what is younger may change again and look the same. */
const settledMs = 2000;

/** Changes with a file: it is written to, or another has its name. Undefined: none is there. */
export async function fileState(path: string): Promise<string | undefined> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  return facts && [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}

/** The same for one that had not changed for a while at that time; undefined otherwise: what is made of it now may be of something else. */
export async function settledState(path: string, atMs: number): Promise<string | undefined> {
  const state = await fileState(path);
  const changedNs = state?.split(':').at(-1);
  return Number(BigInt(changedNs ?? 0) / 1_000_000n) > atMs - settledMs ? undefined : state;
}
