import { describe, expect, test } from 'vitest';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import type { Keyframe, MediaFile } from '../../../src/timeline/index.js';
import { compileTimeline } from '../../../src/timeline/index.js';

const files: Record<string, MediaFile> = {
  'film.mp4': { path: '/film.mp4', width: 200, height: 100, durationSeconds: 4, hasAudio: true },
  'song.mp3': { path: '/song.mp3', width: 0, height: 0, durationSeconds: 60, hasAudio: true },
  voice: { path: '/voice.wav', width: 0, height: 0, durationSeconds: 2, hasAudio: true },
};

function compile(script: object) {
  const movie = parseMovie({ width: 200, height: 100, fps: 10, ...script }, { checkUrl: () => undefined });
  const elements = [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
  const fileOf = (element: object) => files['src' in element ? String(element.src).replace('http://example.com/', '') : 'voice'] as MediaFile;
  const media = new Map(elements.map((element) => [element.path, fileOf(element)]));
  const durations = resolveDurations(movie, (element) => fileOf(element).durationSeconds);
  return compileTimeline({ movie, durations, media, pieces: new Map() });
}

const song = (properties: object = {}) => ({ type: 'audio', src: 'http://example.com/song.mp3', ...properties });
const video = (properties: object = {}) => ({ type: 'video', src: 'http://example.com/film.mp4', ...properties });
const voice = (properties: object = {}) => ({ type: 'voice', text: 'Hello there.', ...properties });
const values = (gain: unknown) => (gain as Keyframe[]).map(({ frame, value }) => [frame, Number(value.toFixed(3))]);

test('sound effects are those of the element', () => {
  const effects = {
    denoise: 12,
    ...{ balance: 0.5, pitch: -2, equalizer: [{ type: 'peak', frequency: 1000, gain: 6, q: 2 }] },
    compressor: { threshold: -20, ratio: 2, attack: 0.01, release: 0.2, knee: 3, makeup: 5 },
    reverb: { size: 0.5, decay: 2, wet: 0.3, damping: 0.4 },
  };
  const { audio } = compile({ scenes: [{ duration: 5, elements: [song(effects), video(effects), voice(effects), song()] }] });
  for (const clip of audio.slice(0, 3)) expect(clip).toMatchObject(effects);
  expect(audio).toHaveLength(4);
  for (const name of Object.keys(effects)) expect(audio[3]).not.toHaveProperty(name);
});

test('sound effects change with keyframes, filter by filter, and are not joined across a cut', () => {
  const keyframes = [
    { time: 0, pitch: 0, equalizer: [{}, { frequency: 200, gain: -6 }], reverb: { wet: 0 } },
    { time: 1, pitch: 12, equalizer: [null, { frequency: 2000 }], reverb: { wet: '0.5' } },
  ];
  const equalizer = [
    { type: 'peak', frequency: 1000, gain: 6, q: 2 },
    { type: 'low_shelf', frequency: 100, gain: 3 },
  ];
  const { audio } = compile({ scenes: [{ duration: 4, elements: [song({ equalizer, reverb: 'room', keyframes })] }] });
  const curve = (from: number, to: number) => [
    { frame: 0, value: from },
    { frame: 10, value: to },
  ];
  expect(audio[0]).toMatchObject({
    pitch: curve(0, 12),
    equalizer: [equalizer[0], { type: 'low_shelf', frequency: curve(200, 2000), gain: [{ frame: 0, value: -6 }] }],
    reverb: { size: 0.25, wet: curve(0, 0.5) },
  });
  const parts = [song({ keyframes: [{ time: 0, pitch: 1 }] }), song({ seek: 2, keyframes: [{ time: 0, pitch: 1 }] })];
  expect(compile({ scenes: parts.map((part) => ({ duration: 2, elements: [part] })) }).audio).toHaveLength(2);
  expect(() => compile({ scenes: [{ elements: [song({ keyframes })] }] })).toThrow("equalizer in keyframes has 2 filters, the element's equalizer only 0");
  expect(() => compile({ scenes: [{ elements: [song({ keyframes: [{ time: 0, reverb: { wet: 1 } }] })] }] })).toThrow('reverb in keyframes needs reverb');
});

describe('ducking', () => {
  test('lowers a ducked clip while a voice plays, with ramps before and after', () => {
    const { audio } = compile({ scenes: [{ duration: 10, elements: [voice({ start: 3 })] }], elements: [song({ duration: -2, duck: true, volume: 0.5 })] });
    expect(values(audio[1]?.gain)).toEqual([
      [27.5, 0.5],
      [30, 0.126],
      [50, 0.126],
      [56, 0.5],
    ]);
    expect(audio[0]?.gain).toBe(1);
  });

  test('stays low in short pauses, counts frames from the clip start and accepts decibels', () => {
    const scene = { duration: 10, elements: [voice({ start: 1 }), voice({ start: 3.5 }), voice({ start: 8 })] };
    const { audio } = compile({ scenes: [scene], elements: [song({ start: 2, duration: 7, duck: 20 })] });
    expect(values(audio[3]?.gain)).toEqual([
      [-12.5, 1],
      [-10, 0.1],
      [35, 0.1],
      [41, 1],
      [57.5, 1],
      [60, 0.1],
      [80, 0.1],
      [86, 1],
    ]);
  });

  test('ignores clips without ducking and muted voices', () => {
    expect(compile({ scenes: [{ duration: 5, elements: [voice(), song()] }] }).audio[1]?.gain).toBe(1);
    expect(compile({ scenes: [{ duration: 5, elements: [voice({ muted: true }), song({ duck: true })] }] }).audio[0]?.gain).toBe(1);
    expect(compile({ scenes: [{ duration: 5, elements: [voice(), song({ duck: false })] }] }).audio[1]?.gain).toBe(1);
  });

  test('multiplies with keyframes of the volume', () => {
    const keyframes = [
      { time: 0, volume: 1 },
      { time: '100%', volume: 0 },
    ];
    const { audio } = compile({ scenes: [{ duration: 10, elements: [voice({ start: 4 })] }], elements: [song({ duration: 10, duck: 20, keyframes })] });
    const gain = audio[1]?.gain as Keyframe[];
    expect(gain.find(({ frame }) => frame === 20)?.value).toBeCloseTo(0.8);
    expect(gain.find(({ frame }) => frame === 50)?.value).toBeCloseTo(0.05);
  });
});

describe('sound over a transition', () => {
  const transition = { style: 'fade', duration: 1 };

  test('fades out the sound that the scene cuts off while the next fades in', () => {
    const { audio } = compile({
      scenes: [
        { duration: 3, elements: [song()] },
        { duration: 3, transition, elements: [video()] },
      ],
    });
    expect(audio[0]).toMatchObject({ start: 0, frames: 40 });
    expect(audio[0]?.gain).toEqual([
      { frame: 30, value: 1, easing: 'easeInSine' },
      { frame: 40, value: 0 },
    ]);
    expect(audio[1]).toMatchObject({ start: 30, frames: 30 });
    expect(audio[1]?.gain).toEqual([
      { frame: 0, value: 0, easing: 'easeOutSine' },
      { frame: 10, value: 1 },
    ]);
  });

  test('extends a sound only as far as its file lasts', () => {
    const scenes = (duration: number) => ({
      scenes: [
        { duration, elements: [video()] },
        { duration: 3, transition, elements: [] },
      ],
    });
    expect(compile(scenes(3.7)).audio[0]).toMatchObject({ frames: 40 });
    expect(compile(scenes(4)).audio[0]).toMatchObject({ frames: 40, gain: 1 });
    expect(
      compile({
        scenes: [
          { duration: 5, elements: [video({ loop: -1, duration: -2 })] },
          { duration: 3, transition, elements: [] },
        ],
      }).audio[0],
    ).toMatchObject({ frames: 60 });
  });

  test('keeps the amplitude of a sound that continues across the cut', () => {
    const { audio } = compile({
      scenes: [
        { duration: 3, elements: [song()] },
        { duration: 3, transition, elements: [song({ seek: 3 })] },
      ],
    });
    expect(audio.map(({ gain }) => gain)).toEqual([
      [
        { frame: 30, value: 1 },
        { frame: 40, value: 0 },
      ],
      [
        { frame: 0, value: 0 },
        { frame: 10, value: 1 },
      ],
    ]);
  });

  test('does not fade voices, clips with own fades, later starts or elements of the movie', () => {
    const first = { duration: 3, elements: [song({ fade_out: 1 }), song({ duration: 2 })] };
    const second = { duration: 3, transition, elements: [voice(), video({ fade_in: 1 }), song({ start: 0.2 })] };
    const { audio } = compile({ scenes: [first, second], elements: [song({ duration: -2 })] });
    expect(audio.map(({ frames, gain }) => [frames, gain])).toEqual([
      [30, 1],
      [20, 1],
      [20, 1],
      [30, 1],
      [28, 1],
      [60, 1],
    ]);
  });
});

describe('cuts', () => {
  test('scenes that continue the same sound become one clip', () => {
    const scene = (seek: number, more: object = {}) => ({ duration: 2, elements: [song({ seek, ...more })] });
    expect(compile({ scenes: [scene(0), scene(2), scene(4)] }).audio).toEqual([{ source: 0, start: 0, frames: 60, gain: 1, media: { in: 0 } }]);
    expect(compile({ scenes: [scene(0), scene(2, { volume: 0.5 }), scene(4, { volume: 0.5 }), scene(0)] }).audio).toMatchObject([
      { frames: 20 },
      { start: 20, frames: 40, media: { in: 2 } },
      { start: 60, frames: 20 },
    ]);
  });

  test('a scene that ends with a transition still joins the ones before', () => {
    const scene = (seek: number, more: object = {}) => ({ duration: 2, ...more, elements: [song({ seek })] });
    const { audio } = compile({ scenes: [scene(0), scene(2), scene(0, { transition: { style: 'fade', duration: 1 } })] });
    expect(audio).toHaveLength(2);
    expect(audio[0]).toMatchObject({ frames: 50 });
    expect(values(audio[0]?.gain).slice(-2)).toEqual([
      [40, 1],
      [50, 0],
    ]);
  });
});

describe('loudness', () => {
  test('is passed to the encoder if the script sets it', () => {
    expect(compile({ scenes: [{ duration: 1, elements: [] }], loudness: -14 }).encode.loudness).toBe(-14);
    expect(compile({ scenes: [{ duration: 1, elements: [] }] }).encode).not.toHaveProperty('loudness');
    expect(() => compile({ scenes: [{ duration: 1, elements: [] }], loudness: 3 })).toThrow(/loudness.*-40.*-8/);
  });
});
