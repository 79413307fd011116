import { expect, test } from 'vitest';
import { formatProblem } from '../../../src/errors/index.js';
import { findUnplayedContent } from '../../../src/render/plan/unplayed-content.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';

/** Warnings about a movie whose files, and voices, all last `mediaSeconds`. */
function lostOf(script: object, mediaSeconds = 4): string[] {
  const movie = parseMovie(script);
  const files = [...movie.scenes.flatMap(({ elements }) => elements), ...movie.elements].filter(({ type }) => ['video', 'audio', 'voice'].includes(type));
  const media = new Map(files.map(({ path }) => [path, { path: '', width: 2, height: 2, durationSeconds: mediaSeconds, hasAudio: true }]));
  const problems = findUnplayedContent(
    movie,
    resolveDurations(movie, ({ path }) => media.get(path)?.durationSeconds),
    media,
  );
  return problems.map(formatProblem);
}

const src = 'https://example.com/a.mp4';
const scene = (element: object, duration: number | undefined = 2): object => ({ scenes: [{ ...(duration > 0 && { duration }), elements: [element] }] });

test('warns about elements that start after the end', () => {
  expect(lostOf(scene({ type: 'text', text: 'x', start: 2 }))).toEqual([
    'scenes.0.elements.0: its scene ends after 2 s, before this element starts; it is not rendered',
  ]);
  expect(lostOf({ scenes: [{ duration: 2 }], elements: [{ type: 'text', text: 'x', start: 9 }] })).toEqual([
    'elements.0: the movie ends after 2 s, before this element starts; it is not rendered',
  ]);
  expect(lostOf(scene({ type: 'text', text: 'x', start: 1.9 }))).toEqual([]);
});

test('warns about files that are skipped entirely', () => {
  const warning = 'scenes.0.elements.0: seek skips 4 s of a file that lasts 4 s; nothing of it is played';
  expect(lostOf(scene({ type: 'video', src, seek: 4 }))).toEqual([warning]);
  expect(lostOf(scene({ type: 'audio', src, seek: 4 }, -1))).toEqual([warning]);
  expect(lostOf(scene({ type: 'video', src, seek: 3.9 }))).toEqual([]);
  expect(lostOf(scene({ type: 'video', src, seek: -9 }))).toEqual([]);
});

test('warns about voices that their scene truncates, unless the script sets their duration', () => {
  const voice = { type: 'voice', text: 'Hello', start: 0.5 };
  expect(lostOf(scene(voice))).toEqual(['scenes.0.elements.0: the voice lasts 4 s, but its scene ends after 2 s: its last 2.5 s are cut off']);
  expect(lostOf(scene({ ...voice, duration: 1 }))).toEqual([]);
  expect(lostOf(scene({ ...voice, duration: -2 }))).toEqual([]);
  expect(lostOf(scene(voice, 4.3))).toEqual([]);
  expect(lostOf(scene(voice, -1))).toEqual([]);
  expect(lostOf(scene({ type: 'video', src }))).toEqual([]);
});
