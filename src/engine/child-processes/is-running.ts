import { readFileSync } from 'node:fs';

/** Whether there is such a process and it has not ended; one that has ended, and whose end nobody has asked for yet, still has its id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !/^[ZX]/.test(stateOf(pid));
}

/** One letter, as in proc(5); empty where the system does not tell. */
function stateOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets before it, may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}
