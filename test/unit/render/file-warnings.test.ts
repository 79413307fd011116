import { expect, it } from 'vitest';
import { findFileWarnings } from '../../../src/render/plan/file-warnings.js';
import { parseMovie } from '../../../src/script/index.js';
import type { MediaFile } from '../../../src/timeline/index.js';

const file: MediaFile = { path: '/clip.mp4', width: 1920, height: 1080, durationSeconds: 3, hasAudio: false };
const video = { type: 'video', src: 'https://example.com/clip.mp4' };

function warningsFor(files: Record<string, Partial<MediaFile>>, ...elements: object[]) {
  const movie = parseMovie({ scenes: [{ elements }], elements: [{ ...video, duration: 1 }] });
  return findFileWarnings(movie, new Map(Object.entries(files).map(([path, metadata]) => [path, { ...file, ...metadata }])));
}

it('warns of HDR files that are shown as SDR, and of no others', () => {
  const problems = warningsFor({ 'scenes.0.elements.0': { hdr: 'hlg' }, 'scenes.0.elements.1': {}, 'elements.0': { hdr: 'pq' } }, video, video);
  expect(problems.map(({ path }) => path)).toEqual(['scenes.0.elements.0', 'elements.0']);
  expect(problems[0]?.message).toContain('HDR (HLG) and is shown as SDR');
  expect(problems[1]?.message).toContain('HDR (PQ)');
});

it('does not warn of HDR videos and images in HDR outputs', () => {
  const media = new Map([
    ['scenes.0.elements.0', { ...file, hdr: 'pq' as const }],
    ['scenes.0.elements.1', { ...file, hdr: 'pq' as const }],
  ]);
  const elements = [video, { type: 'image', src: 'https://example.com/a.avif' }];
  const messages = (movie: object): string[] =>
    findFileWarnings(parseMovie({ scenes: [{ elements }], ...movie }), media).map(({ message }) => message.slice(0, 77));
  expect(messages({ hdr: 'pq' })).toEqual([]);
  const outputs = [
    { name: 'hdr', format: 'mp4' },
    { name: 'loop', format: 'gif' },
  ];
  expect(messages({ hdr: 'pq', outputs })).toEqual([
    expect.stringMatching(/shown as SDR in the outputs that are not HDR/),
    expect.stringMatching(/shown as SDR in the outputs that are not HDR/),
  ]);
});

it('warns of files that stop early, also where they are muted if they have a picture', () => {
  const omitted = ['end'] as const;
  const problems = warningsFor(
    { 'scenes.0.elements.0': { omitted }, 'scenes.0.elements.1': { omitted }, 'scenes.0.elements.2': { omitted } },
    { ...video, muted: true },
    { type: 'audio', src: 'https://example.com/a.aac' },
    { type: 'audio', src: 'https://example.com/a.aac', muted: true },
  );
  expect(problems).toEqual([
    { path: 'scenes.0.elements.0', message: expect.stringMatching(/stops within its data after 3 s, .* its last frame is held beyond that$/) },
    { path: 'scenes.0.elements.1', message: expect.stringMatching(/stops within its data after 3 s, .* it is silent beyond that$/) },
  ]);
});

it('warns of audio that is not played where the element is audible, and of animations that do not play', () => {
  const omitted = ['audio-tracks'] as const;
  const problems = warningsFor(
    {
      'scenes.0.elements.0': { omitted },
      'scenes.0.elements.1': { omitted },
      'scenes.0.elements.2': { omitted: ['animation'] },
      'scenes.0.elements.3': { omitted: ['audio'] },
    },
    video,
    { ...video, muted: true },
    { type: 'image', src: 'https://example.com/moving.avif' },
    video,
  );
  expect(problems.map(({ path, message }) => [path, message.slice(0, 40)])).toEqual([
    ['scenes.0.elements.0', 'the file has several audio tracks, of wh'],
    ['scenes.0.elements.2', 'the file is an animated AVIF image, of w'],
    ['scenes.0.elements.3', 'the audio of the file cannot be decoded,'],
  ]);
});
