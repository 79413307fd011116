import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cliPath } from '../../support/cli.js';

const canTrace = spawnSync('strace', ['-V']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'framewright-power-'));
/** A separate file system, if there is one: moving a file there copies it. */
const elsewhere = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/framewright-power-') : undefined;
afterAll(() => Promise.all([folder, elsewhere].map((path) => path !== undefined && rm(path, { recursive: true, force: true }))));

const movie = {
  width: 64,
  height: 48,
  fps: 10,
  quality: 'low',
  scenes: [1, 2].map((number) => ({ duration: 3, 'background-color': number === 1 ? '#203040' : '#405060' })),
};

interface Call {
  name: string;
  /** Path of the synced file, or the new name. */
  path: string;
}

/** Records syncs and renames in order while a movie is rendered. */
function traceRender(output: string): Call[] {
  const [script, log] = [join(folder, 'movie.json'), join(folder, 'calls')];
  writeFileSync(script, JSON.stringify(movie));
  const traced = ['-f', '-qq', '-y', '-s', '4096', '-e', 'trace=fsync,fdatasync,rename,renameat,renameat2', '-e', 'status=successful', '-o', log];
  const { status, stderr } = spawnSync('strace', [...traced, process.execPath, cliPath, 'render', script, '-o', output, '--no-cache'], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const finished = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => / = 0$/.test(line));
  return finished.flatMap((line) => {
    const synced = /\bf(?:data)?sync\(\d+<([^>]+)>/.exec(line) ?? /<\.\.\. f(?:data)?sync resumed>/.exec(line);
    if (synced !== null) return [{ name: 'sync', path: synced[1] ?? 'unknown' }];
    const renamed = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].at(-1)?.[1];
    return renamed === undefined ? [] : [{ name: 'rename', path: renamed }];
  });
}

const places = [
  ['of the same disk', folder],
  ['of another disk', elsewhere],
] as const;
for (const [place, target] of places) {
  it.skipIf(!canTrace || target === undefined)(`a finished movie survives a power cut under its name in a folder ${place}`, { timeout: 120_000 }, async () => {
    const output = join(target ?? '', 'movie.mp4');
    const calls = traceRender(output);
    expect((await stat(output)).size).toBeGreaterThan(0);
    const named = calls.findIndex(({ name, path }) => name === 'rename' && path === output);
    expect(named, JSON.stringify(calls)).toBeGreaterThanOrEqual(0);
    // The bytes are synced before the rename, the folder after it.
    const isPart = ({ name, path }: Call): boolean => name === 'sync' && /finished-[^/]*\.mp4\.part$|\.partial$/.test(path);
    const before = calls.slice(0, named).filter(isPart);
    expect(before.map(({ path }) => basename(path)).at(-1), JSON.stringify(calls)).toMatch(target === folder ? /\.part$/ : /\.partial$/);
    expect(calls.slice(named + 1), JSON.stringify(calls)).toContainEqual({ name: 'sync', path: target });
    // Syncs happen once per output, not per frame or section.
    expect(calls.filter(({ name }) => name === 'sync').length, JSON.stringify(calls)).toBeLessThanOrEqual(4);
  });
}
