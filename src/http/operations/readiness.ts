import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../accounts/index.js';

export interface Readiness {
  ready: boolean;
  /** What was looked at, with what is wrong in words. */
  checks: Readonly<Record<'database' | 'render_process' | 'disk' | 'draining', string>>;
}

export interface ReadinessParts {
  /** Writes; throws when it can not. */
  writeProbe: () => Promise<void>;
  /** A render process has started, or none is wanted here. */
  canRender: () => boolean;
  isDraining: () => boolean;
  dataDir: string;
  minFreeBytes: number;
  clock: Clock;
  /** Anyone may ask, and asking writes to the disk: the answer is kept for so long. */
  keepMs?: number;
}

const ok = 'ok';
/** Load balancers ask with short timeouts. */
const probeTimeoutMs = 800;

/** Whether this process should be given work. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const keepMs = parts.keepMs ?? 1000;
  let looked: Promise<[string, string]> | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = parts.clock.monotonic();
    if (looked === undefined || now - lookedAt >= keepMs) {
      looked = Promise.all([checkDatabase(parts), checkDisk(parts)]);
      lookedAt = now;
    }
    const [database, disk] = await looked;
    const checks = {
      database,
      render_process: parts.canRender() ? ok : 'no render process has started',
      disk,
      draining: parts.isDraining() ? 'the service is stopping' : ok,
    };
    return { ready: Object.values(checks).every((check) => check === ok), checks };
  };
}

async function checkDatabase({ writeProbe }: ReadinessParts): Promise<string> {
  const timeout = new AbortController();
  const slow = sleep(probeTimeoutMs, 'the database does not answer', { signal: timeout.signal }).catch(() => ok);
  const probe = writeProbe().then(
    () => ok,
    () => 'the database can not be written',
  );
  return Promise.race([probe, slow]).finally(() => timeout.abort());
}

async function checkDisk({ dataDir, minFreeBytes }: ReadinessParts): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize >= minFreeBytes ? ok : `less than ${Math.round(minFreeBytes / 1024 ** 2)} MiB of disk are free`;
  } catch {
    return 'the data folder can not be read';
  }
}
