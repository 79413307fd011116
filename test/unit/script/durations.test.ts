import { describe, expect, test } from 'vitest';
import { DEFAULT_CLIP_SECONDS, estimateMovie, parseMovie, type ResolvedDurations, resolveDurations } from '../../../src/script/index.js';

/** Lengths of media by their URL's last part, as `10s.mp4`. */
function resolve(script: object): ResolvedDurations {
  return resolveDurations(parseMovie(script), (element) => {
    const seconds = 'src' in element ? /(\d+)s\./.exec(element.src)?.[1] : undefined;
    return seconds === undefined ? undefined : Number(seconds);
  });
}

const video = (seconds: number, more: object = {}): object => ({ type: 'video', src: `https://example.com/${seconds}s.mp4`, ...more });
const audio = (seconds: number, more: object = {}): object => ({ type: 'audio', src: `https://example.com/${seconds}s.mp3`, ...more });
const image = (more: object = {}): object => ({ type: 'image', src: 'https://example.com/a.png', ...more });
const text = (more: object = {}): object => ({ type: 'text', text: 'x', ...more });

/** [start, frames] of the elements of a lone scene at 10 fps, and the scene's frames. */
function lone(elements: object[], scene: object = {}): { frames: number; spans: Array<[number, number]> } {
  const { scenes } = resolve({ fps: 10, scenes: [{ ...scene, elements }] });
  const [only] = scenes;
  return { frames: only?.frames ?? 0, spans: (only?.elements ?? []).map(({ startFrame, frames }) => [startFrame, frames]) };
}

describe('a scene', () => {
  test.each<[what: string, elements: object[], scene: object, frames: number, spans: Array<[number, number]>]>([
    ['without anything lasts 5 s', [], {}, 50, []],
    ['with text only lasts 5 s', [text()], {}, 50, [[0, 50]]],
    ['with an image only lasts 5 s', [image()], {}, 50, [[0, 50]]],
    ['cuts a longer video', [video(10)], { duration: 5 }, 50, [[0, 50]]],
    ['shows a shorter video for its length', [video(3)], { duration: 5 }, 50, [[0, 30]]],
    [
      'is as long as its longest element',
      [video(10), audio(20)],
      {},
      200,
      [
        [0, 100],
        [0, 200],
      ],
    ],
    [
      'does not count an element of its own length',
      [video(10), audio(20, { duration: -2 })],
      {},
      100,
      [
        [0, 100],
        [0, 100],
      ],
    ],
    [
      'counts a looping video at -2 not at all',
      [video(3, { loop: -1, duration: -2 }), audio(8)],
      {},
      80,
      [
        [0, 80],
        [0, 80],
      ],
    ],
    [
      'lets an endless loop run on',
      [video(3, { loop: -1 }), audio(8)],
      {},
      80,
      [
        [0, 80],
        [0, 80],
      ],
    ],
    ['with an endless loop alone lasts one pass', [video(3, { loop: -1 })], {}, 30, [[0, 30]]],
    ['counts every pass of a loop', [video(3, { loop: 4 })], {}, 120, [[0, 120]]],
    ['counts from seek', [video(10, { seek: 4 })], {}, 60, [[0, 60]]],
    ['counts from the end for a negative seek', [video(10, { seek: -4 })], {}, 40, [[0, 40]]],
    ['adds extra time', [video(3, { 'extra-time': 1.5 })], {}, 45, [[0, 45]]],
    ['counts starts', [text({ start: 2, duration: 4 })], {}, 60, [[20, 40]]],
    [
      'keeps an image to its end',
      [image(), video(8)],
      {},
      80,
      [
        [0, 80],
        [0, 80],
      ],
    ],
    [
      'is no longer for an image',
      [image(), video(3)],
      {},
      30,
      [
        [0, 30],
        [0, 30],
      ],
    ],
    [
      'is no longer for a page',
      [{ type: 'html', html: 'x', duration: -1 }, video(3)],
      {},
      30,
      [
        [0, 30],
        [0, 30],
      ],
    ],
    [
      'shows an image that starts when all else is over',
      [video(3), image({ start: 3 })],
      {},
      80,
      [
        [0, 30],
        [30, 50],
      ],
    ],
    [
      'keeps an image under a sequence',
      [image(), audio(3), audio(2, { start: -1 })],
      {},
      50,
      [
        [0, 50],
        [0, 30],
        [30, 20],
      ],
    ],
    [
      'shows an image after its caption',
      [image(), text({ duration: 2 }), image({ start: -1 })],
      {},
      70,
      [
        [0, 70],
        [0, 20],
        [20, 50],
      ],
    ],
    [
      'plays what starts at -1 one after the other',
      [image({ duration: 2 }), image({ start: -1, duration: 3 }), image({ start: -1 })],
      {},
      100,
      [
        [0, 20],
        [20, 30],
        [50, 50],
      ],
    ],
    [
      'ends images in a sequence',
      [image(), image({ start: -1 })],
      {},
      100,
      [
        [0, 50],
        [50, 50],
      ],
    ],
    ['counts the animation of text', [text({ style: '003', duration: -1 })], {}, 100, [[0, 100]]],
    ['counts the animation of letters', [text({ style: '010', duration: -1 })], {}, 50, [[0, 50]]],
    ['counts lines on backgrounds', [text({ style: '011', duration: -1, 'extra-time': 2 })], {}, 70, [[0, 70]]],
    ['counts the animation of text 002', [text({ style: '002', duration: -1 })], {}, 50, [[0, 50]]],
    [
      'does not count text without animation',
      [text({ duration: -1 }), video(3)],
      {},
      30,
      [
        [0, 30],
        [0, 30],
      ],
    ],
    ['does not show what starts after its end', [text({ start: 7 })], { duration: 5 }, 50, [[50, 0]]],
    ['lasts at least a frame', [], { duration: 0.001 }, 1, []],
    ['shows short elements for at least a frame', [text({ duration: 0.001 })], { duration: 1 }, 10, [[0, 1]]],
  ])('%s', (_what, elements, scene, frames, spans) => {
    expect(lone(elements, scene)).toEqual({ frames, spans });
  });

  test('lasts to its last frame for what ends with it, wherever it stands', () => {
    const scenes = Array.from({ length: 50 }, () => ({ duration: 2.34, elements: [text({ duration: 2.34 }), text({ start: 1, duration: 1.34 })] }));
    for (const scene of resolve({ scenes }).scenes) {
      for (const span of scene.elements) expect(span.startFrame + span.frames).toBe(scene.frames);
    }
  });
});

describe('the movie', () => {
  test.each([30, 29.97, 23.976, 12.5])('tiles its scenes at %f fps, and rounding never adds up', (fps) => {
    const { scenes, totalFrames } = resolve({ fps, scenes: Array.from({ length: 300 }, (_, k) => ({ duration: 0.9 + (k % 7) * 0.11 })) });
    let end = 0;
    for (const scene of scenes) {
      expect(scene.startFrame).toBe(end);
      end += scene.frames;
    }
    const seconds = Array.from({ length: 300 }, (_, k) => 0.9 + (k % 7) * 0.11).reduce((sum, duration) => sum + duration, 0);
    const { num, den } = parseMovie({ fps, scenes: [{}] }).fps;
    expect(totalFrames).toBe(end);
    expect(Math.abs(end - (seconds * num) / den)).toBeLessThanOrEqual(0.5001);
  });

  test.each<[what: string, elements: object[], frames: number, spans: Array<[number, number]>]>([
    ['is as long as its scenes', [], 40, []],
    ['is as long as its longest element', [audio(7)], 70, [[0, 70]]],
    ['counts elements from its start', [text({ start: 3, duration: 2 })], 50, [[30, 20]]],
    [
      'does not grow by what lasts as long as itself',
      [audio(7, { duration: -2 }), text(), image({ 'extra-time': 9 }), { type: 'html', html: 'x', duration: -1 }],
      40,
      [
        [0, 40],
        [0, 40],
        [0, 40],
        [0, 40],
      ],
    ],
    [
      'takes a sequence of images',
      [image(), image({ start: -1 })],
      100,
      [
        [0, 50],
        [50, 50],
      ],
    ],
  ])('%s', (_what, elements, frames, spans) => {
    const resolved = resolve({ fps: 10, scenes: [{ duration: 1.5 }, { duration: 2.5 }], elements });
    expect(resolved.totalFrames).toBe(frames);
    expect(resolved.elements.map((span) => [span.startFrame, span.frames])).toEqual(spans);
  });
});

describe('the cost', () => {
  test.each<[seconds: number, fps: number, width: number, height: number, credits: number]>([
    [5, 30, 1920, 1080, 5],
    [5.04, 30, 1920, 1080, 6],
    [0.1, 30, 640, 360, 1],
    [5, 30, 1080, 1920, 5],
    [5, 30, 1922, 1080, 20],
    [5.5, 30, 3840, 2160, 24],
    // 10.01 s and 3.003 s as whole frames
    [10, 29.97, 1920, 1080, 10],
    [3, 23.976, 1920, 1080, 3],
    [3.02, 59.94, 1920, 1080, 4],
    [3, 12.5, 1920, 1080, 3],
  ])('of %f s at %f frames/s, %i×%i, is %i', (duration, fps, width, height, credits) => {
    expect(estimateMovie(parseMovie({ width, height, fps, scenes: [{ duration }] })).credits).toBe(credits);
  });

  test('is estimated from the script alone', () => {
    expect(estimateMovie(parseMovie({ scenes: [{ duration: 2 }, { duration: 3 }] }))).toEqual({ durationSeconds: 5, credits: 5, providerCredits: 0 });
    expect(estimateMovie(parseMovie({ width: 3840, height: 2160, scenes: [{ duration: 1.2 }] }))).toEqual({
      durationSeconds: 1.2,
      credits: 8,
      providerCredits: 0,
    });
    expect(estimateMovie(parseMovie({ scenes: [{ elements: [video(3)] }] })).durationSeconds).toBe(DEFAULT_CLIP_SECONDS);
    expect(estimateMovie(parseMovie({ scenes: [{ elements: [video(3, { loop: 2, seek: 1 })] }] })).durationSeconds).toBe(2 * DEFAULT_CLIP_SECONDS);
    expect(estimateMovie(parseMovie({ scenes: [{ duration: 4, elements: [video(3)] }] })).durationSeconds).toBe(4);
  });

  test('counts whole frames of the movie', () => {
    const { durationSeconds } = estimateMovie(parseMovie({ fps: 10, scenes: [{ duration: 1.04 }] }));
    expect(durationSeconds).toBe(1);
  });
});
