import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ioBytes, isRunning, killGroup, peakResidentMb, residentMb } from '../../../../src/engine/child-processes/index.js';

it('reports this process and its parent as running, and an unused id as not running', () => {
  expect([process.pid, process.ppid, 2 ** 22 + 1].map(isRunning)).toEqual([true, true, false]);
});

it('does not count a zombie as running', async () => {
  // The child exits after exec has replaced the shell with sleep, which never waits for it; the shell itself might.
  const script = 'shell=$$; (until grep -q "^sleep" /proc/$shell/comm; do sleep 0.02; done) & echo $!; exec sleep 30';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(text);
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8'), { timeout: 10_000 }).toContain(') Z ');
  expect(isRunning(child)).toBe(false);
  expect(isRunning(parent.pid ?? 0)).toBe(true);
  parent.kill('SIGKILL');
});

it('reports the memory and traffic of a process, and 0 for one that does not exist', () => {
  expect(residentMb(process.pid)).toBeGreaterThan(1);
  expect(peakResidentMb(process.pid)).toBeGreaterThanOrEqual(1);
  expect(ioBytes(process.pid)).toBeGreaterThan(0);
  expect([residentMb, peakResidentMb, ioBytes].map((measure) => measure(2 ** 22 + 1))).toEqual([0, 0, 0]);
});

it('kills a process group with the children of its leader', async () => {
  const leader = spawn('sh', ['-c', 'sleep 30 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(leader, 'exit');
  const [text] = (await once(leader.stdout, 'data')) as [Buffer];
  const child = Number(text);
  expect(killGroup(leader.pid)).toBe(true);
  expect(await exited).toEqual([null, 'SIGKILL']);
  await expect.poll(() => isRunning(child), { timeout: 10_000 }).toBe(false);
});

it('does not kill a group that was never started', () => {
  expect([killGroup(undefined), killGroup(2 ** 22 + 1)]).toEqual([false, false]);
});
