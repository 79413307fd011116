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

/** What V8 made of a file lies beside it under this ending. */
const cacheEnding = '.v8';

/**
 * Runs a CommonJS file once, with the code that V8 made of it earlier; that of another version of V8, or of another file, is not used.
 * Relative paths lead to files that are loaded likewise; `provide` may answer for other names. There is no `import()` in such a file.
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

/** Keeps what V8 has compiled of all files that were loaded so far: what ran is in it, what did not is compiled when it is called. */
export function writeCodeCaches(): void {
  for (const [path, { script }] of loaded) {
    // Renamed when it is whole: somebody may start meanwhile.
    writeFileSync(`${path}${cacheEnding}.part`, script.createCachedData());
    renameSync(`${path}${cacheEnding}.part`, `${path}${cacheEnding}`);
  }
}

/** The same script in ASCII alone, which is read many times faster: beyond it there are characters in strings and patterns, which may be escaped. */
export function inAscii(source: string): string {
  return source.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function readSource(path: string): string {
  const bytes = readFileSync(path);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

function readCache(path: string): Buffer | undefined {
  try {
    return readFileSync(`${path}${cacheEnding}`);
  } catch {
    return undefined;
  }
}
