import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, type Environment } from './environment.js';

export interface DbConfig {
  /** Absolute path of the SQLite file. */
  path: string;
}

const allowed = 'leave it unset for SQLite in FRAMEWRIGHT_DATA_DIR, or give file:/absolute/path.db';

export function parseDbConfig(environment: Environment, dataDir: string): DbConfig {
  const url = environment.text('DATABASE_URL');
  if (url === undefined) return Object.freeze({ path: join(dataDir, 'framewright.db') });
  // A database address may carry a password: only its scheme is repeated.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'file') return Object.freeze({ path: parseFileUrl(url) });
  if (scheme === 'sqlite') return Object.freeze({ path: resolve(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '')) });
  const what = scheme === undefined ? 'this value' : `${scheme}:// databases`;
  throw new ConfigError('DATABASE_URL', `${what} can not be served by this version: ${allowed}`);
}

function parseFileUrl(url: string): string {
  try {
    return fileURLToPath(url.replace(/^file:(?!\/)/i, `file://${process.cwd()}/`));
  } catch {
    throw new ConfigError('DATABASE_URL', `not a local file address: ${allowed}`);
  }
}
