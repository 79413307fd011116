import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listSourceFiles, readSource } from './source-files.js';
import { exportedNames, typescriptFiles } from './typescript-imports.js';

const bannedWords = new Set(['manager', 'helper', 'helpers', 'util', 'utils', 'utilities', 'misc', 'common', 'data', 'info']);
const bannedVerbs = new Set(['process', 'handle', 'do']);

/** `parseMovie`, `parse-movie`, `parse_movie` and `PARSE_MOVIE` → parse, movie. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}

const bannedIn = (name: string): string[] => wordsOf(name).filter((word) => bannedWords.has(word));

const codeFiles = listSourceFiles('src', 'native', 'test', 'bench').filter((path) => /\.(tsx?|mjs|cc|h)$/.test(path));

describe('names', () => {
  it('are split into words at case changes and separators', () => {
    expect(bannedIn('jobManager')).toEqual(['manager']);
    expect(bannedIn('string_utils')).toEqual(['utils']);
    expect(bannedIn('openDatabase')).toEqual([]);
  });

  it('no file or folder has a meaningless word in its name', () => {
    expect(codeFiles.filter((path) => path.split('/').some((part) => bannedIn(part).length > 0))).toEqual([]);
  });

  it('no exported name of src/ has one', () => {
    const wrong = typescriptFiles.flatMap((file) =>
      exportedNames(file)
        .filter((name) => bannedIn(name).length > 0 || (/^[a-z]/.test(name) && bannedVerbs.has(wordsOf(name)[0] ?? '')))
        .map((name) => `${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('no class or struct of native/ has one', () => {
    const wrong = codeFiles
      .filter((path) => path.startsWith('native/'))
      .flatMap((file) =>
        [...readSource(file).matchAll(/^\s*(?:class|struct|enum class)\s+([A-Z]\w+)/gm)]
          .map(([, name = '']) => name)
          .filter((name) => bannedIn(name).length > 0)
          .map((name) => `${file}: ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it('files are kebab-case in src/ and test/, snake_case in C++', () => {
    const wrong = codeFiles.filter((path) => {
      const base = posix.basename(path);
      return /\.(cc|h)$/.test(base) ? !/^[a-z0-9]+(_[a-z0-9]+)*\.(cc|h)$/.test(base) : !/^[a-z0-9]+([-.][a-z0-9]+)*\.(tsx?|mjs)$/.test(base);
    });
    expect(wrong).toEqual([]);
  });

  it('no file has more than 600 lines', () => {
    expect(codeFiles.filter((path) => !path.includes('.generated.') && readSource(path).split('\n').length > 600)).toEqual([]);
  });

  it('every folder of src/ and native/ has a README of at most 15 lines', () => {
    const folders = new Set(
      listSourceFiles('src', 'native')
        .filter((path) => path.split('/').length > 2)
        .map((path) => path.split('/').slice(0, 2).join('/')),
    );
    const wrong = [...folders].filter((folder) => {
      const readme = listSourceFiles(`${folder}/README.md`)[0];
      return readme === undefined || readSource(readme).trimEnd().split('\n').length > 15;
    });
    expect(wrong).toEqual([]);
  });
});
