import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ProgramError, type ProgramOptions, runProgram } from '../../../../src/engine/child-processes/index.js';

const environment = { PATH: process.env.PATH ?? '' };
const run = (stdin: string, change: Partial<ProgramOptions> = {}) =>
  runProgram('sh', {
    args: ['-s'],
    stdin,
    folder: '/',
    environment,
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
    signal: new AbortController().signal,
    ...change,
  });

/** Processes of this machine that sleep for exactly so many seconds. */
const sleepers = (seconds: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((args) => args === `sleep ${seconds}`);

it('gives what a program says, its exit code and its stderr; it sees no more of the environment than it is given', async () => {
  const { code, stdout, stderr } = await run('echo "$HOME|$FRAMEWRIGHT_VOICE_AZURE_KEY"; echo no >&2; exit 3');
  expect([code, stdout.toString(), stderr]).toEqual([3, '|\n', 'no']);
});

it('ends it with everything that it started: when it is no longer wanted, when it takes too long', async () => {
  const abort = new AbortController();
  const reason = new Error('cancelled');
  const aborted = run('sleep 4321.5 & sleep 4321.5', { signal: abort.signal });
  setTimeout(() => abort.abort(reason), 200);
  await expect(aborted).rejects.toBe(reason);
  await expect(run('sleep 4322.5 & sleep 4322.5', { timeoutMs: 200 })).rejects.toThrow('sh took longer than 0.2 s');
  await run('sleep 4323.5 >/dev/null 2>&1 & exit 0');
  await expect.poll(() => ['4321.5', '4322.5', '4323.5'].flatMap(sleepers), { timeout: 10_000 }).toEqual([]);
});

it('bounds what it writes', async () => {
  await expect(run('yes')).rejects.toThrow('sh wrote more than 10000 bytes');
});

it('says which program is missing', async () => {
  const missing = runProgram('no-such-program', {
    args: [],
    stdin: 'x',
    folder: '/',
    environment,
    timeoutMs: 1000,
    maxOutputBytes: 10,
    signal: new AbortController().signal,
  });
  await expect(missing).rejects.toThrow(ProgramError);
  await expect(missing).rejects.toThrow('no-such-program cannot be run (ENOENT)');
});
