import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withLocalEngine } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { ffmpeg } from '../../support/ffmpeg.js';
import { timelineOf } from '../../support/timelines.js';

const folder = mkdtempSync(join(tmpdir(), 'local-engine-'));
const photo = join(folder, 'photo.jpg');
beforeAll(() => ffmpeg('-f', 'lavfi', '-i', 'mandelbrot=s=1280x720', '-frames:v', '1', '-q:v', '2', photo));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['is idle', true],
  ['is busy', false],
])('removes the work folder when the engine %s', async (_, isIdle) => {
  let workDir = '';
  await withLocalEngine(loadConfig(), [folder], async (engine, work) => {
    workDir = work;
    // A busy engine still writes files while the folder is removed.
    const frames = Array.from({ length: isIdle ? 1 : 40 }, (_, k) => engine.writeFrame(timelineOf({ kind: 'image', path: photo }), 3, join(work, `${k}.png`)));
    const all = Promise.allSettled(frames);
    expect(existsSync(work)).toBe(true);
    await (isIdle ? all : frames[0]);
  });
  expect(workDir).not.toBe('');
  expect(existsSync(workDir)).toBe(false);
});
