import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isRunning } from '../../../src/programs/index.js';

it('knows this process and its parent, and none that never was', () => {
  expect([process.pid, process.ppid, 2 ** 22 + 1].map(isRunning)).toEqual([true, true, false]);
});

it('one that has ended does not run, although nobody has asked for its end', async () => {
  // The shell's child ends at once; what the shell becomes never asks.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(text);
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8'), { timeout: 10_000 }).toContain(') Z ');
  expect(isRunning(child)).toBe(false);
  expect(isRunning(parent.pid ?? 0)).toBe(true);
  parent.kill('SIGKILL');
});
