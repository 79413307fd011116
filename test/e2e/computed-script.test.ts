import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { loadPacks } from '../../src/graphics/components/index.js';
import { createTextSprites } from '../../src/graphics/index.js';
import { createOutbound } from '../../src/outbound/index.js';
import { createAssets } from '../../src/render/assets/index.js';
import { planMovie } from '../../src/render/index.js';
import { temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

let folder: { path: string; remove: () => Promise<void> };
beforeAll(async () => {
  folder = await temporaryFolder();
  await ffmpeg('-f', 'lavfi', '-i', 'color=red:s=64x64:r=10:d=3', '-pix_fmt', 'yuv420p', join(folder.path, 'three-seconds.mp4'));
});
afterAll(() => folder.remove());

test('expressions use the real duration of a clip, in every item of an iteration', async () => {
  const script = {
    width: 64,
    height: 64,
    fps: 10,
    variables: { rooms: [{ extra: 1 }, { extra: '2' }] },
    scenes: [
      {
        iterate: 'rooms',
        elements: [
          { type: 'text', text: '{{item.extra}}', start: '{{clip_end}}', duration: '{{clip_duration / 3 + extra - 1}}' },
          { type: 'video', id: 'clip', src: 'three-seconds.mp4' },
        ],
      },
    ],
  };
  const workDir = join(folder.path, 'work');
  const engine = createEngine();
  const outbound = createOutbound({ allowPrivateHosts: [] });
  const assets = createAssets({ folder: workDir, outbound, probe: (path) => engine.probe(path), localRoot: folder.path });
  const parts = { engine, assets, sprites: createTextSprites({ folder: workDir }), packs: loadPacks(undefined), checkUrl: assets.checkUrl };
  const { durationSeconds } = await planMovie({ script, workDir, signal: new AbortController().signal }, parts);
  expect(durationSeconds).toBe(3 + 1 + (3 + 2));
});
