import { isAbsolute } from 'node:path';
import { ConfigError, type Environment } from '../environment.js';

/** Address of a service without a slash at the end; undefined if unset. Error messages do not repeat it, because it may contain a key. */
export function parseServiceUrl(environment: Environment, name: string, schemes = /^https?:$/): string | undefined {
  const text = environment.text(name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigError(name, 'is not a plain http:// or https:// address (no user, query or fragment)');
  }
  return url.href.replace(/\/+$/, '');
}

/** `host:port` of an address, with the scheme's default port. */
export function hostOf(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port === '' ? (/^(https|wss):$/.test(protocol) ? '443' : '80') : port}`;
}

/** Absolute path of a model's folder; undefined if unset. */
export function parseModelFolder(environment: Environment, name: string): string | undefined {
  const path = environment.text(name);
  if (path !== undefined && !isAbsolute(path)) throw new ConfigError(name, `"${path}" is not an absolute path of a folder`);
  return path;
}

/** Environment of local speech programs, without secrets. */
export function programEnvironment(environment: Environment): Readonly<Record<string, string>> {
  return Object.freeze(environment.select((name) => /^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH)$/.test(name)));
}
