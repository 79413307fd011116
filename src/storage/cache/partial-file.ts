import { createHash, randomUUID } from 'node:crypto';
import { isRunning, pidScope } from '../../engine/child-processes/index.js';

const writer = createHash('sha256').update(pidScope).digest('hex').slice(0, 12);
const LEFTOVER_AGE_MS = 3_600_000;
const SUFFIX = '.part';

/** A unique name for a file being written. It contains the process id and the scope in which that is unique, so that other processes can detect leftovers. */
export function partialName(): string {
  return `${writer}-${process.pid}-${randomUUID()}${SUFFIX}`;
}

/** Whether a file was left by a writer that died. Files of other hosts and containers count as leftovers after one hour. */
export function isLeftover(name: string, changedAtMs: number): boolean {
  if (!name.endsWith(SUFFIX)) return false;
  const [scope, pid] = name.split('-');
  return (scope === writer && !isRunning(Number(pid))) || Date.now() - changedAtMs > LEFTOVER_AGE_MS;
}
