import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, createEnginePool, type EngineProcess } from '../../../src/engine/index.js';
import { startTestEngine } from '../../support/engine-process.js';
import { ffmpeg } from '../../support/ffmpeg.js';
import { timelineOf } from '../../support/timelines.js';

const canTrace = spawnSync('strace', ['-V']).status === 0;
const root = mkdtempSync(join(tmpdir(), 'framewright-lost-'));
const folder = join(root, 'job');
let engine: EngineProcess | undefined;
beforeEach(() => mkdir(folder, { recursive: true }));
afterEach(() => engine?.close());
afterAll(() => rm(root, { recursive: true, force: true }));

const long = (size = { width: 1280, height: 720 }): Buffer => {
  const timeline = JSON.parse(timelineOf({ kind: 'image', path: '/' }, 100_000, size).toString());
  const moving = {
    fill: '#00ff00ff',
    start: 0,
    frames: 100_000,
    box: { x: 0, y: 0, width: 20, height: 20 },
    x: [
      { frame: 0, value: 0 },
      { frame: 100_000, value: 90 },
    ],
  };
  return Buffer.from(JSON.stringify({ ...timeline, sources: [], sections: [{ ...timeline.sections[0], clips: [moving] }] }));
};
const render = (one: EngineProcess, onProgress: (done: number) => void = () => {}): Promise<unknown> =>
  one.renderSegment(long(), { first: 0, end: 100_000 }, join(folder, 'long.nut'), { onProgress });
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const isAlive = (pid: number | undefined): boolean => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
/** Starts a render whose failure is checked later. */
function begin(one: EngineProcess): Promise<{ failing: Promise<unknown> }> {
  return new Promise((resolve) => {
    const failing: Promise<unknown> = failureOf(render(one, () => resolve({ failing })));
  });
}

describe('an engine process', () => {
  it.each(['SIGSEGV', 'SIGABRT', 'SIGKILL'] as const)('that ends by %s fails its work within two seconds', async (signal) => {
    const dying = startTestEngine(folder);
    engine = dying;
    const { failing } = await begin(dying);
    const at = performance.now();
    process.kill(dying.pid ?? 0, signal);
    expect(await failing).toMatchObject({ name: 'EngineExitError', code: 'RENDER_FAILED', reason: 'crash', detail: expect.stringContaining(signal) });
    expect(performance.now() - at).toBeLessThan(2000);
    expect(dying.exitError?.reason).toBe('crash');
    await expect(dying.probe(join(folder, 'any'))).rejects.toMatchObject({ reason: 'crash' });
  });

  it('is killed when it stalls', async () => {
    const still = startTestEngine(folder, { timing: { checkIntervalMs: 50, heartbeatTimeoutMs: 2000 } });
    engine = still;
    const { failing } = await begin(still);
    process.kill(still.pid ?? 0, 'SIGSTOP');
    expect(await failing).toMatchObject({ reason: 'hang', message: expect.stringContaining('made no progress') });
    await expect.poll(() => isAlive(still.pid)).toBe(false);
  });

  it('is not killed while it waits for work', async () => {
    const idle = startTestEngine(folder, { timing: { checkIntervalMs: 20, stallTimeoutMs: 500 } });
    engine = idle;
    await idle.identity();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(idle.exitError).toBeUndefined();
    expect(await idle.identity()).toBeDefined();
  });

  it.skipIf(!canTrace)(
    'is killed when it sends heartbeats without progress',
    async () => {
      const stuck = startTestEngine(folder, { timing: { checkIntervalMs: 50, stallTimeoutMs: 3000 } });
      engine = stuck;
      const video = join(folder, 'stuck.mp4');
      await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=64x48:d=1', '-c:v', 'libx264', video);
      await stuck.probe(video);
      // From now on every read of media blocks for a minute.
      const tracer = spawn('strace', [
        '-f',
        '-qq',
        '-p',
        String(stuck.pid),
        '-e',
        'trace=pread64',
        '-e',
        'inject=pread64:delay_enter=60000000',
        '-o',
        join(root, 'log'),
      ]);
      await expect.poll(() => /^TracerPid:\s+[1-9]/m.test(readFileSync(`/proc/${stuck.pid}/status`, 'utf8')), { timeout: 10_000 }).toBe(true);
      try {
        const at = performance.now();
        expect(await failureOf(stuck.probe(video))).toMatchObject({ reason: 'hang', detail: expect.stringContaining('no progress') });
        expect(performance.now() - at).toBeLessThan(8000);
      } finally {
        tracer.kill('SIGKILL');
      }
    },
    30_000,
  );

  it('is not killed while its next segment waits for the encoder longer than the stall limit', async () => {
    const patient = startTestEngine(folder, { timing: { checkIntervalMs: 20, stallTimeoutMs: 1000 } });
    engine = patient;
    const size = { width: 640, height: 360 };
    const stop = new AbortController();
    let first: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      const options = { signal: stop.signal, onProgress: () => resolve() };
      first = failureOf(patient.renderSegment(long(size), { first: 0, end: 100_000 }, join(folder, 'first.nut'), options));
    });
    const reported: number[] = [];
    const second = patient.renderSegment(long(size), { first: 0, end: 5 }, join(folder, 'second.nut'), { onProgress: (done) => reported.push(done) });
    const settled = failureOf(second);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(patient.exitError).toBeUndefined();
    expect(reported).toEqual([]);
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await first).toBe(reason);
    expect(await settled).toBeUndefined();
    expect(await second).toMatchObject({ frames: 5 });
    expect(reported.at(-1)).toBe(5);
  }, 30_000);

  it.each([
    ['noticed by a look', 20],
    ['noticed when it is refused more', 100_000],
  ])(
    'that takes too much memory is ended, and says so: %s',
    async (_how, lookMs) => {
      const greedy = startTestEngine(folder, { limits: { memoryMb: 256, cpuSeconds: 3600, fileMb: 4096 }, timing: { checkIntervalMs: lookMs } });
      engine = greedy;
      const failing = failureOf(greedy.renderSegment(long({ width: 8192, height: 8192 }), { first: 0, end: 1000 }, join(folder, 'large.nut')));
      expect(await failing).toMatchObject({ reason: 'memory', message: expect.stringContaining('exceeded the memory limit') });
    },
    30_000,
  );

  it('is killed when it exceeds its processor time', async () => {
    const busy = startTestEngine(folder, { limits: { memoryMb: 4096, cpuSeconds: 2, fileMb: 4096 } });
    engine = busy;
    expect(await failureOf(render(busy))).toMatchObject({ reason: 'processor' });
  }, 30_000);

  it('reports which file exceeds its size limit', async () => {
    const small = startTestEngine(folder, { limits: { memoryMb: 4096, cpuSeconds: 3600, fileMb: 1 } });
    engine = small;
    const noise = join(folder, 'noise.mp4');
    await ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'nullsrc=s=640x480:d=10,geq=random(1)*255:128:128',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '10',
      '-t',
      '1',
      noise,
    );
    const failure = await failureOf(
      small.renderSegment(timelineOf({ kind: 'video', path: noise }, 10, { width: 1280, height: 720 }), { first: 0, end: 10 }, join(folder, 'n.nut')),
    );
    expect(failure).toMatchObject({ code: 'INTERNAL_ERROR', detail: expect.stringContaining('File too large') });
    expect(small.exitError).toBeUndefined();
  }, 60_000);

  it('responds like the in-process engine and cancels with the given reason', async () => {
    const own = startTestEngine(folder);
    engine = own;
    const local = createEngine();
    const video = join(folder, 'v.mp4');
    await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=1', '-c:v', 'libx264', video);
    expect(await own.probe(video)).toEqual(await local.probe(video));
    // The two programs have separate binaries and libraries.
    expect(await own.identity()).toMatch(/^[0-9a-f]{64}$/);
    expect(await own.identity()).not.toBe(await local.identity());
    const timeline = timelineOf({ kind: 'video', path: video }, 10, { width: 320, height: 180 });
    expect(await own.composeFrame(timeline, 5)).toEqual(await local.composeFrame(timeline, 5));
    const paths = [join(folder, 'a.nut'), join(folder, 'b.nut')] as const;
    await own.renderSegment(timeline, { first: 0, end: 10 }, paths[0]);
    await local.renderSegment(timeline, { first: 0, end: 10 }, paths[1]);
    expect(readFileSync(paths[0]).equals(readFileSync(paths[1]))).toBe(true);
    const outputPath = join(root, 'beside.mp4');
    await own.stitch({ segmentPaths: [paths[0]], outputPath });
    expect(await local.probe(outputPath)).toMatchObject({ kind: 'video', durationSeconds: 1 });
    expect((await readdir(folder)).filter((name) => /finished|frame/.test(name))).toEqual([]);
    const stop = new AbortController();
    const reason = new Error('enough');
    const cancelled = own.renderSegment(long(), { first: 0, end: 100_000 }, join(folder, 'c.nut'), { signal: stop.signal });
    stop.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
  });
});

describe('a pool of engine processes', () => {
  it('gives each job a separate warm process in the requested folder and leaves no files', async () => {
    const place = join(root, 'supply');
    const supply = createEnginePool({
      mode: 'auto',
      folder: place,
      readable: [],
      limits: { memoryMb: 4096, cpuSeconds: 3600, fileMb: 4096 },
      environment: {},
    });
    const engines: EngineProcess[] = [];
    for (const name of ['one', 'two']) {
      const taken = await supply.acquire(join(place, name));
      engines.push(taken);
      await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=64x48:d=1', join(place, name, 'v.mp4'));
      expect(await taken.probe(join(place, name, 'v.mp4'))).toMatchObject({ width: 64 });
    }
    const [one, two] = engines;
    expect(one?.pid).not.toBe(two?.pid);
    await expect(two?.probe(join(place, 'one', 'v.mp4'))).rejects.toMatchObject({ message: expect.stringContaining('Permission denied') });
    await Promise.all(engines.map((each) => each.close()));
    await supply.close();
    expect((await readdir(place)).sort()).toEqual(['one', 'two']);
    expect(engines.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
  });
});
