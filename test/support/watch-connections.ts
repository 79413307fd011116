import { createHook } from 'node:async_hooks';

export interface ConnectionWatch {
  /** address:port of every TCP connection that this process has attempted since the start, successful or not. */
  attempts(): string[];
  stop(): void;
}

/** Traces the connect system calls of this process, below every client library. */
export function watchConnections(): ConnectionWatch {
  const made: Array<{ address?: string; port?: number }> = [];
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TCPCONNECTWRAP') made.push(resource as { address?: string; port?: number });
    },
  }).enable();
  return {
    attempts: () => made.map(({ address, port }) => `${address}:${port}`),
    stop: () => hook.disable(),
  };
}
