import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning } from '../../engine/child-processes/index.js';

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
const LEFTOVER_AGE_MS = 3_600_000;
const SUFFIX = '.part';

/** A unique name for a file being written. It contains host and process id, so that other processes can detect leftovers. */
export function partialName(): string {
  return `${host}-${process.pid}-${randomUUID()}${SUFFIX}`;
}

/** Whether a file was left by a writer that died. Files of other hosts count as leftovers after one hour. */
export function isLeftover(name: string, changedAtMs: number): boolean {
  if (!name.endsWith(SUFFIX)) return false;
  const [writerHost, pid] = name.split('-');
  return (writerHost === host && !isRunning(Number(pid))) || Date.now() - changedAtMs > LEFTOVER_AGE_MS;
}
