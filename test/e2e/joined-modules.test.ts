import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'joined-modules-'));
afterAll(() => rmSync(folder, { recursive: true }));

const text = { type: 'text', text: 'Joined “é” 日本', x: 20, y: 20, width: 280, height: 100, font: 'Inter', color: '#ffffff' };
const movie = join(folder, 'movie.json');
const wrong = join(folder, 'wrong.json');
/** What `loadBundle` gives in a process of its own. */
const bundleType = () =>
  node(
    '--input-type=module',
    '-e',
    `console.log(typeof (await import('${process.cwd()}/dist/config/precompiled/index.js')).loadBundle('cli')?.runCli)`,
  ).stdout.trim();

beforeAll(() => {
  // Where somebody has compiled since the set-up.
  if (bundleType() !== 'function') expect(node('src/cli/setup/make-bundle.mjs')).toMatchObject({ status: 0 });
  writeFileSync(movie, JSON.stringify({ width: 320, height: 180, scenes: [{ duration: 1, background: '#204060', elements: [text] }] }));
  writeFileSync(wrong, JSON.stringify({ scenes: [{ duration: 1, elements: [{ ...text, colour: 'red' }] }] }));
});

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
};
/** As people start it, and module by module. */
const joined = (...args: string[]) => node('dist/cli/main.js', ...args);
const apart = (...args: string[]) =>
  node(
    '--input-type=module',
    '-e',
    `const { runCli } = await import('${process.cwd()}/dist/cli/run-cli.js'); process.exitCode = await runCli(process.argv.slice(1));`,
    '--',
    ...args,
  );

describe('the command line, joined into few files', () => {
  test('is what runs', () => {
    expect(bundleType()).toBe('function');
  });

  test('draws the same frame', () => {
    const [one, other] = [join(folder, 'joined.png'), join(folder, 'apart.png')];
    expect(joined('frame', movie, '--at', '0.5', '-o', one)).toMatchObject({ status: 0, stderr: '' });
    expect(apart('frame', movie, '--at', '0.5', '-o', other)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  });

  test.each([
    [['validate', wrong]],
    [['frame', movie, '--at', '99', '-o', join(folder, 'late.png')]],
    [['frame', movie, '-o', join(folder, 'unsaid.png')]],
    [['--help']],
    [['packs', 'list']],
    [['unknown']],
  ])('answers %j alike', (args) => {
    const answer = joined(...args);
    expect(answer).toEqual(apart(...args));
    expect(answer.stdout + answer.stderr).not.toBe('');
  });
});
