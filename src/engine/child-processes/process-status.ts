import { readFileSync } from 'node:fs';

/** Whether a process exists and has not exited. A zombie, whose exit its parent has not collected, does not count as running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const stat = readProcessFile(pid, 'stat');
  // The state letter follows the program name, which is in brackets and may hold any character.
  return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Resident memory of a process in MiB; 0 if it has exited or the system has no `/proc`. */
export function residentMb(pid: number): number {
  return statusMb(pid, 'VmRSS');
}

/** Largest resident memory of a process since its start, in MiB; 0 if it has exited or the system has no `/proc`. */
export function peakResidentMb(pid: number): number {
  return statusMb(pid, 'VmHWM');
}

/** Bytes that a process has read and written since its start; 0 if it has exited or the system has no `/proc`. */
export function ioBytes(pid: number): number {
  const text = readProcessFile(pid, 'io');
  const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return count('rchar') + count('wchar');
}

/** Sends SIGKILL to a process group, by the pid of its leader. Returns false if the group no longer exists. */
export function killGroup(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function statusMb(pid: number, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readProcessFile(pid, 'status'))?.[1] ?? 0) / 1024;
}

function readProcessFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
