import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import {
  isRunning,
  type ProcessEnd,
  type ProcessLoss,
  SupervisedProcess,
  type SupervisedProcessOptions,
} from '../../../../src/engine/child-processes/index.js';

let started: SupervisedProcess | undefined;
afterEach(async () => {
  started?.kill();
  await started?.exited;
});

/** A shell script under supervision, checked every 50 ms, and what `onLoss` reported. */
function supervise(script: string, options: Partial<SupervisedProcessOptions> = {}): { running: SupervisedProcess; losses: ProcessLoss[] } {
  const losses: ProcessLoss[] = [];
  const running = new SupervisedProcess({
    start: () => spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] }),
    leadsGroup: true,
    checkIntervalMs: 50,
    onLoss: (loss) => losses.push(loss),
    ...options,
  });
  started = running;
  return { running, losses };
}

const busy = { isBusy: () => true };

it.each<[string, string, SupervisedProcess['exited'] extends Promise<infer End> ? Partial<End> : never]>([
  ['an exit code', 'exit 3', { reason: 'exit', code: 3, signal: null, status: 'exit code 3', detail: 'ended with exit code 3' }],
  ['a signal', 'kill -SEGV $$', { reason: 'exit', code: null, signal: 'SIGSEGV', status: 'signal SIGSEGV', detail: 'ended with signal SIGSEGV' }],
])('reports how a process ended: %s', async (_name, script, end) => {
  const { running, losses } = supervise(script);
  expect(await running.exited).toMatchObject(end);
  expect(losses).toMatchObject([end]);
});

it.each<[string, () => never | ReturnType<typeof spawn>]>([
  ['reports', () => spawn('no-such-program', [])],
  [
    'throws',
    () => {
      throw new Error('no-such-program');
    },
  ],
])('a program that is missing is a loss at the start: spawn %s it', async (_how, start) => {
  const { running, losses } = supervise('', { start });
  const end: ProcessEnd = await running.exited;
  expect(end).toMatchObject({ reason: 'start', code: null, status: expect.stringContaining('no-such-program') });
  expect([running.pid, losses.length]).toEqual([undefined, 1]);
});

describe('a process is killed with its children', () => {
  it.each<[string, string, Partial<SupervisedProcessOptions>, ProcessLoss['reason'], string]>([
    ['without a heartbeat while it is busy', 'sleep 30', { ...busy, heartbeatTimeoutMs: 300 }, 'hang', 'sent no heartbeat'],
    [
      'without a heartbeat while it is idle, if it sends them always',
      'sleep 30',
      { beatsWhenIdle: true, heartbeatTimeoutMs: 300 },
      'hang',
      'sent no heartbeat',
    ],
    ['without progress', 'sleep 30', { ...busy, stallTimeoutMs: 300 }, 'hang', 'made no progress'],
    ['over its memory limit', 'sleep 30', { memoryMb: 0.1 }, 'memory', 'at most 0.1 MB are allowed'],
  ])('%s', async (_name, script, options, reason, detail) => {
    const { running, losses } = supervise(`${script} & echo $!; wait`, options);
    const [text] = (await once(running.child?.stdout ?? process.stdin, 'data')) as [Buffer];
    const end = await running.exited;
    expect(end).toMatchObject({ reason, detail: expect.stringContaining(detail), signal: 'SIGKILL' });
    expect(losses).toEqual([{ reason, detail: end.detail }]);
    await expect.poll(() => isRunning(Number(text)), { timeout: 10_000 }).toBe(false);
  });

  it('that is stopped by a signal (SIGSTOP)', async () => {
    const { running } = supervise('while :; do sleep 0.05; echo alive; done', { ...busy, heartbeatTimeoutMs: 1500 });
    running.child?.stdout?.on('data', () => running.noteMessage());
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(running.child?.exitCode).toBe(null);
    process.kill(running.pid ?? 0, 'SIGSTOP');
    expect(await running.exited).toMatchObject({ reason: 'hang', signal: 'SIGKILL' });
  });

  it('that misses its deadline, but not one whose deadline was cleared', async () => {
    const { running } = supervise('sleep 30');
    running.setDeadline(100, { reason: 'start', detail: 'did not start' });
    running.clearDeadline();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(running.child?.exitCode).toBe(null);
    running.setDeadline(100, { reason: 'start', detail: 'did not start' });
    expect(await running.exited).toMatchObject({ reason: 'start', detail: 'did not start' });
  });
});

it('a process that reads all the time makes progress, an idle one needs none', async () => {
  const stall = { stallTimeoutMs: 400 };
  const { running: reading } = supervise('while :; do cat /proc/self/maps >/dev/null; read line </proc/meminfo; done', { ...busy, ...stall });
  const { running: idle } = supervise('sleep 30', { ...stall, heartbeatTimeoutMs: 400 });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect([reading.child?.exitCode, idle.child?.exitCode]).toEqual([null, null]);
  for (const one of [reading, idle]) {
    one.kill();
    expect(await one.exited).toMatchObject({ reason: 'stopped', signal: 'SIGKILL' });
  }
});

describe('stopping', () => {
  it('lets a process end by itself', async () => {
    const { running } = supervise('trap "exit 0" TERM; echo ready; while :; do sleep 0.05; done');
    await once(running.child?.stdout ?? process.stdin, 'data');
    await running.stop(() => running.child?.kill('SIGTERM'), 20_000);
    expect(await running.exited).toMatchObject({ reason: 'exit', code: 0 });
  });

  it('kills one that does not end in time', async () => {
    const { running } = supervise('trap "" TERM; echo ready; while :; do sleep 0.05; done');
    await once(running.child?.stdout ?? process.stdin, 'data');
    await running.stop(() => running.child?.kill('SIGTERM'), 200);
    expect(await running.exited).toMatchObject({ reason: 'stopped', signal: 'SIGKILL' });
  });
});
