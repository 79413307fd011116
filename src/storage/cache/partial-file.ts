import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isRunning } from '../../engine/child-processes/index.js';

const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
const FORGOTTEN_MS = 3_600_000;
const SUFFIX = '.part';

/** A name for a file that is being written. It tells who writes, so that others see when nobody does any more. */
export function partialName(): string {
  return `${host}-${process.pid}-${randomUUID()}${SUFFIX}`;
}

/** Whether a file is what a writer left that died. Writers on other hosts that share the folder are given time. */
export function isLeftover(name: string, changedAtMs: number): boolean {
  if (!name.endsWith(SUFFIX)) return false;
  const [writerHost, pid] = name.split('-');
  return (writerHost === host && !isRunning(Number(pid))) || Date.now() - changedAtMs > FORGOTTEN_MS;
}
