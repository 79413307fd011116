import { expect, it } from 'vitest';
import { gpuPage } from '../../../src/cli/gpu-bench/gpu-page.js';
import type { GpuBenchDocument, GpuEncoder } from '../../../src/cli/gpu-bench/gpu-results.js';

const rate = { width: 1920, height: 1080, count: 4, framesPerSecond: 912.4, streams: 3, sessions: 3, joulesPerFrame: 0.0123 };

function documentWith(encoders: GpuEncoder[]): GpuBenchDocument {
  const host = { processor: 'A <processor>', cores: 16, memoryGb: 64, graphics: ['A card'], system: 'Linux' } as unknown as GpuBenchDocument['host'];
  return { finished: '2026-11-28T09:00:00.000Z', host, check: { devices: [], encoders, decoders: [] } };
}

it('shows what encoders do at once, and whole renders by them', () => {
  const renders = [
    {
      ...rate,
      framesPerSecond: 450,
      streams: 15,
      sessions: 0,
      joulesPerFrame: 0,
      decoder: 'nvdec',
      compositor: 'vulkan',
      interop: 'cuda-direct',
      copiesPerFrame: 0,
    },
  ];
  const page = gpuPage(
    documentWith([
      { name: 'h264_nvenc', opens: true, reason: '', streams: [rate, { ...rate, width: 3840, height: 2160, framesPerSecond: 230 }], renders },
      { name: 'av1_nvenc', opens: false, reason: 'No <device>.', streams: [], renders: [] },
    ]),
  );
  expect(page).toContain('No &lt;device&gt;.');
  // 912.4 frames per second are 30 streams, of which the driver opens 3.
  expect(page).toMatch(/h264_nvenc, 1080p<\/td><td[^>]*>4<\/td><td[^>]*>912<\/td><td[^>]*>3<\/td><td[^>]*>3<\/td><td[^>]*>12<\/td>/);
  expect(page).toMatch(/nvdec, vulkan<\/td><td[^>]*>cuda-direct, 0 copies<\/td><td[^>]*>–<\/td>/);
  expect(page).toContain('h264_nvenc, 2160p');
});

it('shows documents without measurements of encoders', () => {
  const page = gpuPage(documentWith([{ name: 'libx264', opens: true, reason: '' }]));
  expect(page).toContain('libx264');
  expect(page).not.toContain('Whole renders');
});
