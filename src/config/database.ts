import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, type Environment } from './environment.js';

/** Absolute path of a SQLite file, or URL of a PostgreSQL database including its password. */
export type DbConfig = { path: string } | { url: string };

/** The Redis server with which services share rate limits. */
export interface RedisConfig {
  /** Includes the password; undefined: each service counts for itself. */
  url: string | undefined;
}

const allowed =
  'leave it unset for SQLite in FRAMEWRIGHT_DATA_DIR, or use file:/absolute/path.db for SQLite elsewhere, or postgres://user:password@host:5432/name';

/** Error messages repeat only the scheme, because the URL may contain a password. */
export function parseDbConfig(environment: Environment, dataDir: string): DbConfig {
  const url = environment.text('DATABASE_URL');
  if (url === undefined) return Object.freeze({ path: join(dataDir, 'framewright.db') });
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'file') return Object.freeze({ path: parseFileUrl(url) });
  if (scheme === 'sqlite') return Object.freeze({ path: resolve(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')) });
  if (scheme === 'postgres' || scheme === 'postgresql') return Object.freeze({ url: checkPostgresUrl(url) });
  const what = scheme === undefined ? 'this value' : `${scheme}:// databases`;
  throw new ConfigError('DATABASE_URL', `${what} cannot be used: ${allowed}`);
}

function parseFileUrl(url: string): string {
  try {
    return fileURLToPath(url.replace(/^file:(?!\/)/i, `file://${process.cwd()}/`));
  } catch {
    throw new ConfigError('DATABASE_URL', `not a local file address: ${allowed}`);
  }
}

/** The path must name the database; host and user may come from the PG… variables. */
function checkPostgresUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^\/[^/]+$/.test(url.pathname)) throw new ConfigError('DATABASE_URL', `not the address of a database: ${allowed}`);
  return text;
}

export function parseRedisConfig(environment: Environment): RedisConfig {
  const url = environment.text('REDIS_URL');
  if (url !== undefined && !(URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol))) {
    throw new ConfigError('REDIS_URL', 'not the address of a Redis server: use redis://user:password@host:6379/0, or rediss://… for TLS');
  }
  return Object.freeze({ url });
}
