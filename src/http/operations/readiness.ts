import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../accounts/index.js';
import { freeBytesOf } from './disk-monitor.js';

/** Whether this process should receive work. */
export interface Readiness {
  ready: boolean;
  /** `ok`, or what is wrong. */
  checks: Readonly<Record<'database' | 'render_process' | 'disk' | 'draining', string>>;
}

export interface ReadinessParts {
  /** Writes to the database; rejects when that fails. */
  writeProbe: () => Promise<void>;
  /** True once a render process has started, or when this process needs none. */
  canRender: () => boolean;
  isDraining: () => boolean;
  dataDir: string;
  minFreeBytes: number;
  clock: Clock;
}

/** Results of the database and disk checks are cached: the endpoint is public, and each check writes to the disk. */
const cacheMs = 1000;
/** Timeout of the database check; load balancers use short timeouts. */
const probeTimeoutMs = 800;
const ok = 'ok';

/** Creates the readiness check of this process. */
export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  let results: Promise<[string, string]> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = parts.clock.monotonic();
    if (results === undefined || now - checkedAt >= cacheMs) {
      results = Promise.all([checkDatabase(parts), checkDisk(parts)]);
      checkedAt = now;
    }
    const [database, disk] = await results;
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
    () => 'the database cannot be written',
  );
  return Promise.race([probe, slow]).finally(() => timeout.abort());
}

async function checkDisk({ dataDir, minFreeBytes }: ReadinessParts): Promise<string> {
  try {
    return (await freeBytesOf(dataDir)) >= minFreeBytes ? ok : `less than ${Math.round(minFreeBytes / 1024 ** 2)} MiB of disk are free`;
  } catch {
    return 'the data folder cannot be read';
  }
}
