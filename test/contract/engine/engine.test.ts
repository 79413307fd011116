import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/engine/index.js';
import { createEngine } from '../../../src/engine/index.js';
import { AppError } from '../../../src/errors/index.js';

const addonPath = new URL('../../../build/Release/framewright.node', import.meta.url).pathname;
let engine: Engine;
let folder: string;

beforeAll(async () => {
  engine = createEngine();
  folder = await mkdtemp(join(tmpdir(), 'framewright-engine-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Two seconds of red with a moving box, so that every frame differs. */
function timeline(frames: number, changes: Record<string, unknown> = {}): Buffer {
  const moving = { fill: '#00ff00ff', start: 0, frames, box: { x: 0, y: 0, width: 20, height: 20 }, x: [frame(0, 0), frame(frames, 100)] };
  return Buffer.from(
    JSON.stringify({
      version: 1,
      canvas: { width: 320, height: 180, fps: { num: 30, den: 1 }, frames },
      sources: [],
      under: [],
      sections: [{ label: 'scene_1', start: 0, frames, background: '#ff0000ff', clips: [moving] }],
      over: [],
      audio: [],
      encode: { encoder: 'libx264', preset: 'ultrafast', crf: 20, keyframeSeconds: 5, audioBitrate: 128000 },
      ...changes,
    }),
  );
}

function frame(at: number, value: number): { frame: number; value: number } {
  return { frame: at, value };
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

function inWorkerThread(code: string): Promise<{ messages: unknown[]; exitCode: number }> {
  return new Promise((resolve, reject) => {
    const messages: unknown[] = [];
    const worker = new Worker(code, { eval: true, workerData: { addonPath, folder, timeline: timeline(30_000).toString() } });
    worker.on('message', (message) => messages.push(message));
    worker.on('error', reject);
    worker.on('exit', (exitCode) => resolve({ messages, exitCode }));
  });
}

describe('the engine', () => {
  it('renders segments and stitches them into a movie', async () => {
    const progress: number[] = [];
    const paths = [join(folder, 'a.nut'), join(folder, 'b.nut')];
    const info = await engine.renderSegment(timeline(60), { first: 0, end: 45 }, paths[0] as string, { onProgress: (done) => progress.push(done) });
    await engine.renderSegment(timeline(60), { first: 45, end: 60 }, paths[1] as string);
    expect(info).toMatchObject({ frames: 45, composedFrames: 45 });
    expect(progress.at(-1)).toBe(45);
    const audioPath = join(folder, 'silence.nut');
    expect(await engine.renderAudio(timeline(60), audioPath)).toMatchObject({ samples: 96_000 });
    const outputPath = join(folder, 'movie.mp4');
    const output = await engine.stitch({ segmentPaths: paths, audioPath, outputPath });
    expect(output).toMatchObject({ frames: 60, durationSeconds: 2 });
    expect(await engine.probe(outputPath)).toMatchObject({
      kind: 'video',
      container: 'mp4',
      videoCodec: 'h264',
      audioCodec: 'aac',
      width: 320,
      height: 180,
      durationSeconds: 2,
      frameRate: { num: 30, den: 1 },
      hasAudio: true,
    });
    const counted = execFileSync('ffprobe', [
      '-v',
      'error',
      '-count_frames',
      '-select_streams',
      'v',
      '-show_entries',
      'stream=nb_read_frames',
      '-of',
      'csv=p=0',
      outputPath,
    ]);
    expect(counted.toString().trim()).toBe('60');
  });

  it('composes one frame as straight RGBA', async () => {
    const { width, height, pixels } = await engine.composeFrame(timeline(60), 30);
    expect([width, height, pixels.length]).toEqual([320, 180, 320 * 180 * 4]);
    const [r, g, b, a] = pixels.subarray(4 * (100 * 320 + 200));
    expect(r).toBeGreaterThan(245);
    expect(g).toBeLessThan(10);
    expect(b).toBeLessThan(10);
    expect(a).toBe(255);
  });

  it('maps its error codes to public ones and keeps the detail for the log', async () => {
    const text = join(folder, 'text.mp4');
    await writeFile(text, 'no video');
    const unsupported = await failureOf(engine.probe(text));
    expect(unsupported.code).toBe('RENDER_FAILED');
    expect(unsupported.message).toContain('allowed: mp4/mov');
    expect(unsupported.detail).toContain('MEDIA_UNSUPPORTED');

    const malformed = await failureOf(engine.composeFrame(Buffer.from('{'), 0));
    expect(malformed.detail).toContain('INVALID_TIMELINE');

    const unwritable = await failureOf(engine.renderSegment(timeline(10), { first: 0, end: 10 }, '/nonexistent/x.nut'));
    expect(unwritable.code).toBe('INTERNAL_ERROR');
    expect(unwritable.message).not.toContain('nonexistent');
    expect(unwritable.detail).toContain('IO_FAILED');
  });

  it('stops promptly when its signal aborts', async () => {
    const abort = new AbortController();
    const path = join(folder, 'aborted.nut');
    const reason = new Error('enough');
    let askedAt = 0;
    const work = engine.renderSegment(timeline(100_000), { first: 0, end: 100_000 }, path, {
      signal: abort.signal,
      onProgress: (done) => {
        if (done < 20 || askedAt > 0) return;
        askedAt = performance.now();
        abort.abort(reason);
      },
    });
    await expect(work).rejects.toBe(reason);
    expect(performance.now() - askedAt).toBeLessThan(1000);
    expect(existsSync(path)).toBe(false);
    await expect(engine.stitch({ segmentPaths: [], outputPath: 'x' }, { signal: abort.signal })).rejects.toBe(reason);
  });

  it('reports the capabilities of the host and the reasons for missing ones', async () => {
    const capabilities = await engine.capabilities();
    expect(capabilities.encoders.find((encoder) => encoder.name === 'libx264')).toEqual({
      name: 'libx264',
      available: true,
      reason: '',
      refusal: '',
      variant: 0,
      ignoredOptions: [],
    });
    for (const encoder of capabilities.encoders) expect(encoder.available || encoder.reason !== '').toBe(true);
    expect(capabilities.interops.map(({ name }) => name)).toEqual(['cuda-direct-semaphores', 'cuda-direct', 'cuda-semaphores', 'cuda', 'vaapi', 'vaapi-copy']);
    for (const { reason } of capabilities.interops) expect(reason).not.toBe('');
    for (const { name, codec, available, reason } of capabilities.decoders) expect([name, codec, available || reason !== '']).toEqual([name, codec, true]);
    expect(capabilities.libraries.libavcodec).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('survives a progress callback that throws', async () => {
    const work = engine.renderSegment(timeline(30), { first: 0, end: 30 }, join(folder, 'thrown.nut'), {
      onProgress: () => {
        throw new Error('from the callback');
      },
    });
    await expect(work).resolves.toMatchObject({ frames: 30 });
  });

  it('loads, works and unloads in worker threads', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { messages, exitCode } = await inWorkerThread(`
        const { parentPort, workerData } = require('node:worker_threads');
        const native = require(workerData.addonPath);
        native.call(JSON.stringify({ command: 'composeFrame', timeline: workerData.timeline, frame: 3 })).done.then(({ json }) => parentPort.postMessage(JSON.parse(json).width));
      `);
      expect(messages).toEqual([320]);
      expect(exitCode).toBe(0);
    }
  });

  it('cancels running renders when its thread ends', async () => {
    const path = join(folder, 'left.nut');
    const { exitCode } = await inWorkerThread(`
      const { workerData } = require('node:worker_threads');
      const native = require(workerData.addonPath);
      const call = { command: 'renderSegment', timeline: workerData.timeline, range: { first: 0, end: 30000 }, path: ${JSON.stringify(path)} };
      native.call(JSON.stringify(call), (done) => {
        if (done > 10) process.exit(7);
      });
    `);
    expect(exitCode).toBe(7);
    expect(existsSync(path)).toBe(false);
    expect(await engine.composeFrame(timeline(5), 0)).toMatchObject({ width: 320 });
  });
});
