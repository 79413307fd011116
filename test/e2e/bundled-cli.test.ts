import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'bundled-modules-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = { type: 'text', text: 'Bundled “é” 日本', x: 20, y: 20, width: 280, height: 100, font: 'Inter', color: '#ffffff' };
const movie = join(folder, 'movie.json');
const invalid = join(folder, 'wrong.json');
/** Type of the bundle's `runCli`, in a new process. */
const bundleType = () =>
  node(
    '--input-type=module',
    '-e',
    `console.log(typeof (await import('${process.cwd()}/dist/config/precompiled/index.js')).loadBundle('cli')?.runCli)`,
  ).stdout.trim();

beforeAll(() => {
  // TypeScript may have been compiled since set-up.
  if (bundleType() !== 'function') expect(node('src/cli/setup/make-bundle.mjs')).toMatchObject({ status: 0 });
  writeFileSync(movie, JSON.stringify({ width: 320, height: 180, scenes: [{ duration: 1, background: '#204060', elements: [text] }] }));
  writeFileSync(invalid, JSON.stringify({ scenes: [{ duration: 1, elements: [{ ...text, colour: 'red' }] }] }));
});

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
};
/** Runs the command line from the bundle, or from its modules. */
const bundled = (...args: string[]) => node('dist/cli/main.js', ...args);
const unbundled = (...args: string[]) =>
  node(
    '--input-type=module',
    '-e',
    `const { runCli } = await import('${process.cwd()}/dist/cli/run-cli.js'); process.exitCode = await runCli(process.argv.slice(1));`,
    '--',
    ...args,
  );

describe('the bundled command line', () => {
  test('is used', () => {
    expect(bundleType()).toBe('function');
  });

  test('draws the same frame as the modules', () => {
    const [fromBundle, fromModules] = [join(folder, 'bundled.png'), join(folder, 'unbundled.png')];
    expect(bundled('frame', movie, '--at', '0.5', '-o', fromBundle)).toMatchObject({ status: 0, stderr: '' });
    expect(unbundled('frame', movie, '--at', '0.5', '-o', fromModules)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(fromBundle).equals(readFileSync(fromModules))).toBe(true);
  });

  test.each([
    [['validate', invalid]],
    [['frame', movie, '--at', '99', '-o', join(folder, 'late.png')]],
    [['frame', movie, '-o', join(folder, 'missing-at.png')]],
    [['--help']],
    [['packs', 'list']],
    [['unknown']],
  ])('answers %j like the modules', (args) => {
    const answer = bundled(...args);
    expect(answer).toEqual(unbundled(...args));
    expect(answer.stdout + answer.stderr).not.toBe('');
  });
});
