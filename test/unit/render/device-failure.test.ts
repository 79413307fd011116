import { expect, it } from 'vitest';
import type { SegmentResult } from '../../../src/engine/index.js';
import { createEngine } from '../../../src/engine/index.js';
import { renderVideo } from '../../../src/render/encode/render-video.js';
import { SegmentCache } from '../../../src/render/encode/segment-cache.js';
import { TestTimeline } from '../../support/scenery.js';

it('reports each device failure and adds one warning, and one per damaged file; reports the interop path and the decoder of each segment', async () => {
  const plain = new TestTimeline('nowhere').timeline(64, 48, { clips: [] });
  const [section] = plain.sections;
  if (section === undefined) throw new Error('no section');
  const labels = ['scene_1', 'scene_2', 'scene_3'];
  const timeline = { ...plain, canvas: { ...plain.canvas, frames: 90 }, sections: labels.map((label, i) => ({ ...section, label, start: 30 * i })) };
  let drawn = 0;
  // Device failures are simulated, because they cannot be provoked.
  const renderSegment = async (): Promise<SegmentResult> => {
    const videos: SegmentResult['videos'] = drawn > 0 ? [{ backend: 'nvdec' }, { backend: 'software', reason: 'nvdec 0: no driver' }] : [];
    const device: Partial<SegmentResult> =
      ++drawn > 1 ? { deviceFailure: 'The graphics device was lost.', interopReason: 'cuda: no driver' } : { interop: 'cuda' };
    return {
      frames: 30,
      composedFrames: 30,
      copiedFrames: 0,
      uncopied: [],
      footageFrames: 0,
      maxParallelEncoders: 1,
      bytes: 1,
      decodeSeconds: 0,
      composeSeconds: 0,
      encodeSeconds: 0,
      videos,
      faults: drawn === 3 ? [{ label: 'scenes.2.elements.0', lostSeconds: 0.48 }] : [],
      elements: [],
      ...device,
    };
  };
  const engine = { ...createEngine(), renderSegment };
  const failures: string[] = [];
  const transfers: unknown[] = [];
  const decoded: unknown[] = [];
  const { warnings } = await renderVideo(
    { timeline, uncached: { sections: new Set(), audio: false } },
    {
      workDir: 'nowhere',
      signal: new AbortController().signal,
      reuse: new SegmentCache({ engine }),
      parts: {
        engine,
        onDeviceFailure: (detail) => failures.push(detail),
        onFrameTransfer: (backend, reason) => transfers.push([backend, reason]),
        onDecode: (backend, reason) => decoded.push([backend, reason]),
      },
      onProgress: () => undefined,
    },
  );
  expect(warnings).toEqual([
    'A graphics device failed (The graphics device was lost.); the CPU compositor replaced it.',
    'scenes.2.elements.0: the file is damaged; 0.48 s of its video cannot be decoded and show the frame before.',
  ]);
  expect(failures).toHaveLength(2);
  const expectedDecodes = [
    ['nvdec', undefined],
    ['software', 'nvdec 0: no driver'],
  ];
  expect(decoded).toEqual([...expectedDecodes, ...expectedDecodes]);
  expect(transfers).toEqual([
    ['cuda', undefined],
    ['host', 'cuda: no driver'],
    ['host', 'cuda: no driver'],
  ]);
});
