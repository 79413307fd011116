import { describe, expect, test } from 'vitest';
import type { Timeline } from '../../../src/contract/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { compileAudio, compileTimeline } from '../../../src/timeline/index.js';

const files = {
  jpg: { path: '/photo.jpg', width: 400, height: 200, durationSeconds: 0, hasAudio: false },
  mp4: { path: '/clip.mp4', width: 200, height: 100, durationSeconds: 4, hasAudio: true },
  mp3: { path: '/song.mp3', width: 0, height: 0, durationSeconds: 60, hasAudio: true },
};

function compile(script: object, only: 'all' | 'audio' = 'all'): Timeline {
  const movie = parseMovie({ width: 200, height: 100, fps: 10, ...script }, { checkUrl: () => undefined });
  const elements = [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
  const media = new Map(elements.flatMap((element) => ('src' in element ? [[element.path, files[element.src?.split('.').at(-1) as 'jpg']] as const] : [])));
  const durations = resolveDurations(movie, (element) => media.get(element.path)?.durationSeconds || undefined);
  return only === 'all' ? compileTimeline({ movie, durations, media, pieces: new Map() }) : compileAudio({ movie, durations, media });
}

const url = (name: string) => `https://example.com/${name}`;
const image = (more: object) => ({ type: 'image', src: url('a.jpg'), width: 40, height: 20, ...more });
const video = (more: object) => ({ type: 'video', src: url('b.mp4'), width: 40, height: 20, ...more });

describe('a group', () => {
  test('is one clip around those of its elements, whose times count from its start', () => {
    const group = {
      type: 'group',
      start: 1,
      x: 5,
      fade_in: 0.5,
      opacity: 0.5,
      drop_shadow: true,
      keyframes: [
        { time: 0, x: 0, scale: 1 },
        { time: 1, x: 20, scale: 2 },
      ],
      elements: [image({ x: 100, y: 50, z_index: 1 }), video({ x: 20, y: 10, start: 0.5 })],
    };
    const clips = compile({ scenes: [{ duration: 4, elements: [image({}), group, image({ z_index: -1 })] }] }).sections[0]?.clips ?? [];
    expect(clips.map(({ clips: members, source }) => [members?.length, source])).toEqual([
      [undefined, 0],
      [undefined, 0],
      [2, undefined],
    ]);
    expect(clips[2]).toMatchObject({
      start: 10,
      frames: 30,
      box: { x: 20, y: 10, width: 120, height: 60 },
      x: [
        { frame: 0, value: 5 },
        { frame: 10, value: 25 },
      ],
      scale: [
        { frame: 0, value: 1 },
        { frame: 10, value: 2 },
      ],
      opacity: 0.5,
      fadeIn: 5,
      shadows: [{ blur: 2 }],
    });
    // In the order of z_index, within the group.
    expect(clips[2]?.clips?.map(({ start, frames, box }) => [start, frames, box.x])).toEqual([
      [5, 25, 20],
      [0, 30, 100],
    ]);
  });

  test('over the movie is under the scenes with a negative z_index, whatever that of its elements', () => {
    const timeline = compile({
      scenes: [{ duration: 4 }],
      elements: [
        { type: 'group', z_index: -1, elements: [image({ z_index: 5 })] },
        { type: 'group', elements: [image({ z_index: -5 })] },
      ],
    });
    expect([timeline.under, timeline.over].map((clips) => clips.map(({ clips: members }) => members?.length))).toEqual([[1], [1]]);
  });

  test('is heard', () => {
    const script = {
      scenes: [
        { duration: 1 },
        { duration: 4, elements: [{ type: 'group', start: 1, elements: [video({ start: 0.5 }), { type: 'audio', src: url('c.mp3') }] }] },
      ],
    };
    const times = ({ audio }: Timeline) => audio.map(({ start, frames }) => [start, frames]);
    expect(times(compile(script))).toEqual([
      [25, 25],
      [20, 30],
    ]);
    expect(times(compile(script, 'audio'))).toEqual(times(compile(script)));
  });

  test('without a visible element is no clip', () => {
    expect(compile({ scenes: [{ duration: 2, elements: [{ type: 'group', elements: [{ type: 'audio', src: url('c.mp3') }] }] }] }).sections[0]?.clips).toEqual(
      [],
    );
    expect(compile({ scenes: [{ duration: 2, elements: [{ type: 'group', elements: [] }] }] }).sections[0]?.clips).toEqual([]);
  });
});
