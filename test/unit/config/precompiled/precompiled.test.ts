import { isAscii } from 'node:buffer';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  // Loaded scripts are cached in the module, so each test imports it afresh.
  vi.resetModules();
});
afterEach(() => rmSync(folder, { recursive: true }));

const load = () => import('../../../../src/config/precompiled/index.js');
const write = (name: string, text: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('loadScript', () => {
  const main = `const { twice } = require('./part.cjs'); exports.value = twice(21); exports.here = __filename; exports.os = require('node:os').EOL;`;

  test('runs a file, the files that it requires and built-in modules once', async () => {
    const { loadScript } = await load();
    const path = write('main.cjs', main);
    write('part.cjs', 'globalThis.runs = (globalThis.runs ?? 0) + 1; module.exports = { twice: (n) => n * 2 };');
    const loaded = loadScript(path) as { value: number; here: string; os: string };
    expect(loaded).toMatchObject({ value: 42, here: path, os: '\n' });
    expect(loadScript(path)).toBe(loaded);
    expect((globalThis as { runs?: number }).runs).toBe(1);
  });

  test('uses V8’s code cache and ignores one that does not fit the file', async () => {
    const path = write('main.cjs', 'exports.add = (a, b) => a + b; exports.sum = exports.add(1, 2);');
    const first = await load();
    first.loadScript(path);
    first.writeCodeCaches();
    expect(existsSync(`${path}.v8`)).toBe(true);
    for (const change of [
      () => {},
      () => write('main.cjs.v8', 'no code'),
      () => write('main.cjs', 'exports.add = (a, b) => a + b; exports.sum = exports.add(10, 20);'),
    ]) {
      change();
      vi.resetModules();
      const { sum } = (await load()).loadScript(path) as { sum: number };
      expect(sum).toBe(readFileSync(path, 'utf8').includes('20') ? 30 : 3);
    }
  });

  test('throws the file’s error and runs the file again at the next call', async () => {
    const { loadScript } = await load();
    const path = write('main.cjs', 'throw new Error("not yet")');
    expect(() => loadScript(path)).toThrow('not yet');
    writeFileSync(path, 'exports.done = true');
    expect(loadScript(path)).toEqual({ done: true });
  });
});

test('inAscii keeps the meaning of a script', async () => {
  const { inAscii } = await load();
  const source = "({ text: '“é” 😀', template: `→`, same: /^[“-”😀]+$/u.test('“😀”'), plain: /[é→]/.test('→'), é: 1 }) // ü";
  const escaped = inAscii(source);
  expect(isAscii(Buffer.from(escaped))).toBe(true);
  expect(runInThisContext(escaped)).toEqual(runInThisContext(source));
});

describe('loadBundle', () => {
  const makeBundle = async (): Promise<void> => {
    write('.tsbuildinfo', '{"files": 1}');
    mkdirSync(join(folder, 'bundle', 'abc'), { recursive: true });
    write(
      'bundle/abc/cli.cjs',
      "exports.name = 'joined'; const own = require('framewright:precompiled'); exports.same = own.loadScript; exports.later = () => own.importModule('node:path');",
    );
    const { describeBuild } = await load();
    write('bundle/current.json', JSON.stringify({ folder: 'abc', madeFrom: describeBuild(folder) }));
  };

  test('loads the bundle of the current build', async () => {
    await makeBundle();
    const { loadBundle, loadScript } = await load();
    const { later, ...rest } = loadBundle('cli', folder) as { later: () => Promise<object> };
    expect(rest).toEqual({ name: 'joined', same: loadScript });
    expect(await later()).toHaveProperty('join');
  });

  const writeCurrent = async (madeFrom: string): Promise<void> => {
    const { glanceAtBuild } = await load();
    write('bundle/current.json', JSON.stringify({ folder: 'abc', madeFrom, seen: glanceAtBuild(folder) }));
  };

  test('trusts size and time of an untouched build and hashes a copied one', async () => {
    await makeBundle();
    const { describeBuild, loadBundle } = await load();
    const build = describeBuild(folder);
    await writeCurrent('not looked at');
    expect(loadBundle('cli', folder)).toHaveProperty('name');
    utimesSync(join(folder, '.tsbuildinfo'), 1, 1);
    expect(loadBundle('cli', folder)).toBeUndefined();
    await writeCurrent(build);
    utimesSync(join(folder, '.tsbuildinfo'), 2, 2);
    expect(loadBundle('cli', folder)).toHaveProperty('name');
  });

  test.each<[string, () => void]>([
    ['there is no bundle', () => rmSync(join(folder, 'bundle'), { recursive: true })],
    ['the TypeScript was compiled again', () => write('.tsbuildinfo', '{"files": 10}')],
    ['the TypeScript is not compiled', () => rmSync(join(folder, '.tsbuildinfo'))],
    ['current.json is damaged', () => write('bundle/current.json', '{"folder": "a')],
    ['the Node version differs', () => vi.spyOn(process, 'version', 'get').mockReturnValue('v99.0.0')],
  ])('returns undefined when %s', async (_, change) => {
    await makeBundle();
    await writeCurrent((await load()).describeBuild(folder));
    change();
    const { loadBundle } = await load();
    expect(loadBundle('cli', folder)).toBeUndefined();
    vi.restoreAllMocks();
  });
});
