import { createHash } from 'node:crypto';

/** The lease of a movie that is spread: its run, and under which claim the run is held now. Another claim ends the say of the one before. */
export interface RunName {
  run: string;
  claim: string;
}

/** No host is called so. */
const start = '@farm';
const separator = '|';

export function ownerOf({ run, claim }: RunName): string {
  return [start, run, claim].join(separator);
}

/** undefined: a lease of one process. */
export function parseOwner(owner: string | null): RunName | undefined {
  const [first, run, claim] = (owner ?? '').split(separator);
  return first === start && run !== undefined && claim !== undefined ? { run, claim } : undefined;
}

/** Hosts of one group make the same bytes of the same part. */
export function groupOf(identity: string): string {
  return identity.slice(0, 16);
}

/** Everything of one movie that goes when it ends. */
export const bundleStart = (jobId: string): string => `farm/${jobId}/`;
export const layoutName = (jobId: string, run: string): string => `${bundleStart(jobId)}${run}/layout.json`;
export const documentName = (jobId: string, run: string, document: string): string => `${bundleStart(jobId)}${run}/${document}`;
export const sourceName = (jobId: string, source: string): string => `${bundleStart(jobId)}sources/${source}`;

/** Packets that later movies may take are kept for their account alone: what hostile media made of an engine reaches nobody else's. */
export function packetsName(place: { jobId: string; accountId: string; run: string }, index: number, key: string | undefined): string {
  if (key === undefined) return `${bundleStart(place.jobId)}${place.run}/packets-${index}.nut`;
  const own = createHash('sha256').update(JSON.stringify([place.accountId, key]));
  return `packets/${own.digest('hex')}.nut`;
}
