import { isAscii } from 'node:buffer';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

export type Require = (specifier: string) => unknown;

interface Loaded {
  exports: unknown;
  script: Script;
}

const loaded = new Map<string, Loaded>();

/** V8's code cache of a file is stored beside it with this suffix. */
const cacheSuffix = '.v8';

/**
 * Runs a CommonJS file once, using V8's code cache if it fits the file and the V8 version, and returns its exports.
 * Relative requires are loaded in the same way, all others by `provide`. The file must not use `import()`.
 */
export function loadScript(path: string, provide: Require = createRequire(path)): unknown {
  const known = loaded.get(path);
  if (known !== undefined) return known.exports;
  const source = readSource(path);
  const cachedData = readCache(path);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  const module = { exports: {} as unknown };
  const entry: Loaded = { exports: module.exports, script };
  loaded.set(path, entry);
  const require = (specifier: string): unknown => (/^\.\.?\//.test(specifier) ? loadScript(join(dirname(path), specifier), provide) : provide(specifier));
  try {
    script.runInThisContext()(module.exports, require, module, path, dirname(path));
  } catch (error) {
    loaded.delete(path);
    throw error;
  }
  entry.exports = module.exports;
  return entry.exports;
}

/** Writes V8's code caches of all files loaded so far. They contain the functions that have run. */
export function writeCodeCaches(): void {
  for (const [path, { script }] of loaded) {
    // Renamed when complete: another process may start meanwhile.
    writeFileSync(`${path}${cacheSuffix}.part`, script.createCachedData());
    renameSync(`${path}${cacheSuffix}.part`, `${path}${cacheSuffix}`);
  }
}

/** The same script with its non-ASCII characters escaped: files in ASCII load many times faster. */
export function inAscii(source: string): string {
  return source.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function readSource(path: string): string {
  const bytes = readFileSync(path);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

function readCache(path: string): Buffer | undefined {
  try {
    return readFileSync(`${path}${cacheSuffix}`);
  } catch {
    return undefined;
  }
}
