import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isRunning } from '../../../../src/engine/child-processes/index.js';

it('knows this process and its parent, and none that never was', () => {
  expect([process.pid, process.ppid, 2 ** 22 + 1].map(isRunning)).toEqual([true, true, false]);
});

it('one that has ended does not run, although nobody has asked for its end', async () => {
  // The shell's child ends when the shell has become another program, which never asks: the shell itself might.
  const script = 'shell=$$; (until grep -q "^sleep" /proc/$shell/comm; do sleep 0.02; done) & echo $!; exec sleep 30';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(text);
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8'), { timeout: 10_000 }).toContain(') Z ');
  expect(isRunning(child)).toBe(false);
  expect(isRunning(parent.pid ?? 0)).toBe(true);
  parent.kill('SIGKILL');
});
