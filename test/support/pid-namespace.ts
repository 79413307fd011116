import { readFileSync } from 'node:fs';

/** Command that runs another one as process 1 of its own pid namespace, with the host name `host`, like in a container. */
export function inContainer(command: readonly string[]): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  return ['unshare', ...asRoot, '--pid', '--fork', '--kill-child', '--mount-proc', '--uts', 'sh', '-c', 'hostname host && exec "$@"', 'sh', ...command];
}

/** Process ids of the children of a process, as this namespace sees them. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
