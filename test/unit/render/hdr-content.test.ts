import { expect, it } from 'vitest';
import { findHdrContent } from '../../../src/render/plan/hdr-content.js';
import type { MediaFile } from '../../../src/timeline/index.js';

const file = { path: '/clip.mp4', width: 1920, height: 1080, durationSeconds: 3, hasAudio: false };

it('warns of HDR files that are shown as SDR, and of no others', () => {
  const problems = findHdrContent(
    new Map<string, MediaFile>([
      ['scenes[0].elements[0]', { ...file, hdr: 'hlg' }],
      ['scenes[0].elements[1]', file],
      ['elements[0]', { ...file, hdr: 'pq' }],
    ]),
  );
  expect(problems.map(({ path }) => path)).toEqual(['scenes[0].elements[0]', 'elements[0]']);
  expect(problems[0]?.message).toContain('HDR (HLG) and is shown as SDR');
  expect(problems[1]?.message).toContain('HDR (PQ)');
});
