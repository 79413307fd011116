import { describe, expect, test } from 'vitest';
import type { Clip, Section } from '../../../src/contract/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import { compileTimeline } from '../../../src/timeline/index.js';

const files = {
  jpg: { path: '/photo.jpg', width: 400, height: 200, durationSeconds: 0, hasAudio: false },
  png: { path: '/logo.png', width: 50, height: 50, durationSeconds: 0, hasAudio: false },
  mp4: { path: '/clip.mp4', width: 200, height: 100, durationSeconds: 4, hasAudio: true },
};
const url = (name: string) => `https://example.com/${name}`;
const image = (more: object) => ({ type: 'image', src: url('a.jpg'), width: 40, height: 20, x: 0, y: 0, ...more });

/** The second section of two scenes of 2 s with a morph of 1 s, at 10 fps. */
function morphed(first: object[], second: object[], more: { transition?: object; scene?: object } = {}): Section {
  const transition = { style: 'morph', duration: 1, easing: 'linear', ...more.transition };
  const scenes = [
    { duration: 2, background: '#ff0000', elements: first, ...more.scene },
    { duration: 2, background: '#0000ff', elements: second, transition },
  ];
  const movie = parseMovie({ width: 200, height: 100, fps: 10, scenes });
  const elements = movie.scenes.flatMap((scene) => scene.elements);
  const media = new Map(elements.flatMap((element) => ('src' in element ? [[element.path, files[element.src?.split('.').at(-1) as 'jpg']] as const] : [])));
  const durations = resolveDurations(movie, (element) => media.get(element.path)?.durationSeconds || undefined);
  return compileTimeline({ movie, durations, media, pieces: new Map() }).sections[1] as Section;
}

const line = (from: number, to: number) => [
  { frame: 0, value: from },
  { frame: 10, value: to },
];
const withPiece = (clips: readonly Clip[]): Clip[] => clips.filter(({ piece }) => piece !== undefined);

describe('a morph', () => {
  test('moves and scales an element with the same id and image from its old place to the new one', () => {
    const { clips, transition, background } = morphed([image({ id: 'a', x: 10, y: 10 })], [image({ id: 'a', x: 100, y: 40, width: 80, height: 40 })]);
    expect(transition).toBeUndefined();
    expect(background).toBe('#00000000');
    const [moving] = withPiece(clips);
    expect(withPiece(clips)).toHaveLength(1);
    expect(moving).toMatchObject({
      start: 0,
      frames: 20,
      box: { x: 100, y: 40, width: 80, height: 40 },
      piece: { x: line(30 - 140, 0), y: line(20 - 60, 0), scaleX: line(0.5, 1), scaleY: line(0.5, 1), rotation: 0 },
    });
    expect(moving?.opacity).toBeUndefined();
  });

  test('starts where keyframes, zoom and rotation have left the element', () => {
    const left = image({
      id: 'a',
      x: 10,
      y: 10,
      rotate: { angle: 30 },
      keyframes: [
        { time: 0, x: 0, scale: 1 },
        { time: 1, x: 50, scale: 2 },
      ],
    });
    const [moving] = withPiece(morphed([left], [image({ id: 'a', x: 100, y: 40 })]).clips);
    expect(moving?.piece).toMatchObject({ x: line(30 + 50 - 120, 0), y: line(20 - 50, 0), scaleX: line(2, 1), scaleY: line(2, 1), rotation: line(30, 0) });
  });

  test('shows another image over the old one on the same way', () => {
    const [old, next] = withPiece(morphed([image({ id: 'a', x: 0 })], [image({ id: 'a', x: 100, src: url('b.png') })]).clips);
    expect(old).toMatchObject({ frames: 10, piece: { x: line(0, 100) }, clips: [{ source: 0 }] });
    expect(next).toMatchObject({ frames: 20, piece: { x: line(-100, 0) }, clips: [{ source: 1 }] });
    expect(old?.opacity).toEqual([
      { frame: 5, value: 1 },
      { frame: 10, value: 0 },
    ]);
    expect(next?.opacity).toEqual([
      { frame: 0, value: 0 },
      { frame: 5, value: 1 },
    ]);
  });

  test('crossfades the rest below and above what moves, in the order of both scenes', () => {
    const first = [image({ x: 1 }), image({ id: 'a', x: 2 }), image({ x: 3 })];
    const second = [image({ x: 4 }), image({ id: 'a', x: 5 }), image({ x: 6 })];
    const { clips } = morphed(first, second);
    expect(clips.map(({ fill, box, clips: members, frames }) => [fill, members?.map((member) => member.fill ?? member.box.x) ?? box.x, frames])).toEqual([
      ['#ff0000ff', 0, 10],
      [undefined, 1, 10],
      [undefined, ['#0000ffff', 4], 20],
      [undefined, [5], 20],
      [undefined, [3], 10],
      [undefined, [6], 20],
    ]);
    expect(clips.map(({ opacity }) => opacity)).toEqual([undefined, undefined, line(0, 1), undefined, line(1, 0), line(0, 1)]);
  });

  test('holds the last frame of old clips, in their loop, with their fade and their curves', () => {
    const clip = { type: 'video', src: url('c.mp4'), width: 40, height: 20, speed: 3, loop: -1, fade_out: 1, opacity: 0.8 };
    const { clips } = morphed([clip], [image({})]);
    const [, old] = clips;
    // 1.9 s at three times the speed are 5.7 s of a clip of 4 s.
    expect(old?.media?.in).toBeCloseTo(1.7, 9);
    expect(old?.media).toMatchObject({ speed: [{ time: 0, from: 0 }] });
    expect(old?.media?.loops).toBeUndefined();
    expect(old?.opacity).toBeCloseTo(0.08, 9);
    expect(old?.fadeOut).toBeUndefined();
  });

  test('leaves out entrances and exits of what moves', () => {
    const animate = { in: { type: 'fade' }, out: { type: 'fade' } };
    const { clips } = morphed([image({ id: 'a', animate, fade_out: 1 })], [image({ id: 'a', animate, fade_in: 1 })]);
    const [moving] = withPiece(clips);
    expect(moving?.clips?.[0]?.fadeIn).toBeUndefined();
    // Only the exit is left.
    const opacity = (moving?.clips?.[0]?.opacity ?? []) as Array<{ frame: number }>;
    expect(opacity[0]?.frame).toBeGreaterThan(5);
  });

  test('does not move what is not shown at the cut, and crossfades without common elements', () => {
    const gone = morphed([image({ id: 'a', duration: 1 })], [image({ id: 'a', x: 50 })]);
    expect(withPiece(gone.clips)).toHaveLength(0);
    const late = morphed([image({ id: 'a' })], [image({ id: 'a', x: 50, start: 1 })]);
    expect(withPiece(late.clips)).toHaveLength(0);
  });
});
