import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSourceFiles, readSource, root } from './source-files.js';
import { typescriptFiles } from './typescript-imports.js';

const errorTable = JSON.parse(readSource('schema/error-codes.json')) as { public: Array<{ code: string }>; engine: Array<{ code: string; public: string }> };
const codesOf = (rows: Array<{ code: string }>): string[] => rows.map(({ code }) => code);

describe('the one error table', () => {
  it('equals the codes that are compiled into the engine', () => {
    const generated = readSource('build/generated/error_codes.inc');
    const compiled = [...generated.matchAll(/FRAMEWRIGHT_ERROR_CODE\((\w+)\)/g)].map(([, code]) => code);
    expect(compiled).toEqual(codesOf(errorTable.engine));
  });

  it('maps every engine code to a public one', () => {
    expect(errorTable.engine.filter((row) => !codesOf(errorTable.public).includes(row.public))).toEqual([]);
  });
});

describe('the settings', () => {
  const settingsDoc = readSource('docs/configuration.md');
  // Names stand as whole strings in the code that reads them; CMake's own options are not settings of the service.
  const used = new Set(
    [...typescriptFiles, ...listSourceFiles('bench')]
      .filter((path) => /\.(ts|mjs)$/.test(path))
      .flatMap((path) =>
        [...readSource(path).matchAll(/['"`.](FRAMEWRIGHT_[A-Z_]*[A-Z]|DATABASE_URL|REDIS_URL|XDG_CACHE_HOME|HOST|PORT)\b/g)].map(([, name = '']) => name),
      ),
  );
  const documented = new Set([...settingsDoc.matchAll(/^\| `([A-Z][A-Z_]+)`/gm)].map(([, name = '']) => name));

  it('are all documented', () => {
    expect(used.size).toBeGreaterThan(8);
    expect([...used].filter((name) => !documented.has(name))).toEqual([]);
  });

  it('all exist', () => {
    expect([...documented].filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('tracked files', () => {
  const texts = listSourceFiles().filter((path) => !/\.(png|jpe?g|webp|woff2?|ttf|mp4|wav|node)$/.test(path));

  it('name no machine-specific folder and no package registry', () => {
    // In pieces, so that this file does not name them itself.
    const places = ['/wor' + 'k/main', '/wor' + 'k/shared', '/tm' + 'p/fw', '/ro' + 'ot/'];
    const hosts = ['registry.npm' + 'js.org', 'deb.debi' + 'an.org', 'archive.ubun' + 'tu.com'];
    const wrong = texts.flatMap((path) => [...places, ...hosts].filter((banned) => readSource(path).includes(banned)).map((banned) => `${path}: ${banned}`));
    expect(wrong).toEqual([]);
  });

  it('are at most 200 kB, apart from the lock file, the movie schema and its types', () => {
    const others = ['package-lock.json', 'schema/movie.schema.json', 'src/contract/script.generated.ts'];
    const large = listSourceFiles().filter((path) => !others.includes(path) && readSource(path).length > 200_000);
    expect(large).toEqual([]);
  });

  it('are what links in documents lead to', () => {
    const broken = texts
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readSource(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
          .map(([, link = '']) => link)
          .filter((link) => !existsSync(join(root, path, '..', link)))
          .map((link) => `${path}: ${link}`),
      );
    expect(broken).toEqual([]);
  });

  it('are what CONTRIBUTING names', () => {
    const named = [...readSource('CONTRIBUTING.md').matchAll(/`((?:src|native|schema|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('the differences from the service contract', () => {
  const rows = readSource('docs/interface.md')
    .split('\n')
    .filter((line) => /^\| (?!Contract|---)/.test(line));
  const tests = rows.map((row) => /`(test\/[^`]+)`: (.*) \|$/.exec(row)?.slice(1) ?? [row, '']);

  it('have a test each', () => {
    expect(rows.length).toBeGreaterThan(10);
    const isMissing = ([path = '', title = '']: string[]): boolean => !existsSync(join(root, path)) || title === '' || !readSource(path).includes(title);
    expect(tests.filter(isMissing)).toEqual([]);
  });
});

it('every path of the tree that a document names exists', () => {
  const documents = listSourceFiles('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'src', 'native', 'test', 'bench').filter((path) =>
    path.endsWith('.md'),
  );
  const named = documents.flatMap((document) =>
    [...readSource(document).matchAll(/`((?:src|native|test|bench|schema|docs)\/[\w./-]+)`/g)].map(([, path = '']) => ({ document, path })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
