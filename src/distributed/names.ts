import { createHash } from 'node:crypto';

/** Lease owner of a distributed render: its run and the current claim on it. A new claim invalidates the one before. */
export interface RunLease {
  run: string;
  claim: string;
}

/** No host name starts with it. */
const start = '@farm';
const separator = '|';

/** Formats a run's lease owner id. */
export function formatLeaseOwner({ run, claim }: RunLease): string {
  return [start, run, claim].join(separator);
}

/** Parses a lease owner id; undefined if it belongs to a single process. */
export function parseLeaseOwner(owner: string | null): RunLease | undefined {
  const [first, run, claim] = (owner ?? '').split(separator);
  return first === start && run !== undefined && claim !== undefined ? { run, claim } : undefined;
}

/** Group of hosts that render the same segment to the same bytes. */
export function hostGroup(identity: string): string {
  return identity.slice(0, 16);
}

/** Prefix of the objects that are deleted with the movie. */
export const bundlePrefix = (jobId: string): string => `farm/${jobId}/`;
/** Object name of a run's plan. */
export const planName = (jobId: string, run: string): string => `${bundlePrefix(jobId)}${run}/layout.json`;
/** Object name of a segment's timeline. */
export const documentName = (jobId: string, run: string, document: string): string => `${bundlePrefix(jobId)}${run}/${document}`;
/** Object name of a source file. */
export const sourceName = (jobId: string, source: string): string => `${bundlePrefix(jobId)}sources/${source}`;

/** Object name of the warnings of the render that wrote these packets; missing where there are none. */
export const warningsName = (packets: string): string => packets.replace(/\.nut$/, '-warnings.json');

/** Object name of a segment's packets. Reusable packets are scoped to the account, so that a compromised engine reaches no other account. */
export function packetsName(place: { jobId: string; accountId: string; run: string }, index: number, key: string | undefined): string {
  if (key === undefined) return `${bundlePrefix(place.jobId)}${place.run}/packets-${index}.nut`;
  const own = createHash('sha256').update(JSON.stringify([place.accountId, key]));
  return `packets/${own.digest('hex')}.nut`;
}
