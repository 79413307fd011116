import { createHash } from 'node:crypto';

/** The lease of a movie that is spread: its run, and under which claim the run is held now. Another claim ends the say of the one before. */
export interface RunLease {
  run: string;
  claim: string;
}

/** No host is called so. */
const start = '@farm';
const separator = '|';

export function formatLeaseOwner({ run, claim }: RunLease): string {
  return [start, run, claim].join(separator);
}

/** undefined: a lease of one process. */
export function parseLeaseOwner(owner: string | null): RunLease | undefined {
  const [first, run, claim] = (owner ?? '').split(separator);
  return first === start && run !== undefined && claim !== undefined ? { run, claim } : undefined;
}

/** Hosts of one group make the same bytes of the same part. */
export function hostGroup(identity: string): string {
  return identity.slice(0, 16);
}

/** Everything of one movie that goes when it ends. */
export const bundlePrefix = (jobId: string): string => `farm/${jobId}/`;
export const planName = (jobId: string, run: string): string => `${bundlePrefix(jobId)}${run}/layout.json`;
export const documentName = (jobId: string, run: string, document: string): string => `${bundlePrefix(jobId)}${run}/${document}`;
export const sourceName = (jobId: string, source: string): string => `${bundlePrefix(jobId)}sources/${source}`;

/** Packets that later movies may take are kept for their account alone: what hostile media made of an engine reaches nobody else's. */
export function packetsName(place: { jobId: string; accountId: string; run: string }, index: number, key: string | undefined): string {
  if (key === undefined) return `${bundlePrefix(place.jobId)}${place.run}/packets-${index}.nut`;
  const own = createHash('sha256').update(JSON.stringify([place.accountId, key]));
  return `packets/${own.digest('hex')}.nut`;
}
