import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const isRoot = process.getuid?.() === 0;
const newNamespaces = ['unshare', ...(isRoot ? [] : ['--map-root-user']), '--pid', '--fork', '--kill-child', '--mount-proc', '--uts'];

/** Command that runs another one as process 1 of its own pid namespace, with the host name `host`, like in a container. */
export function inContainer(command: readonly string[]): string[] {
  return [...newNamespaces, 'sh', '-c', 'hostname host && exec "$@"', 'sh', ...command];
}

/** A pid namespace with its own host name. Like a machine, it outlives the programs that run in it. */
export interface Machine {
  /** Command that runs another one in it, as its child process. */
  within: readonly string[];
  /** Ends all processes in it. */
  stop(): Promise<void>;
}

export async function startMachine(hostName: string): Promise<Machine> {
  // The shell is process 1: it collects orphans that have exited.
  const init = ['sh', '-c', 'hostname "$0" && echo ready && while :; do sleep 3600; done', hostName];
  const [program = '', ...args] = [...newNamespaces, ...init];
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    exited.then(([code]) => Promise.reject(new Error(`unshare exited with ${String(code)}`))),
  ]);
  const [initPid] = childrenOf(child.pid ?? 0);
  return {
    within: ['nsenter', '--target', String(initPid), ...(isRoot ? [] : ['--user', '--preserve-credentials']), '--pid', '--mount', '--uts'],
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Process ids of the children of a process, as this namespace sees them. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
