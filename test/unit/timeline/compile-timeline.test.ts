import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';
import type { MediaFile, Piece, Timeline } from '../../../src/timeline/index.js';
import { compileAudio, compileTimeline, cutAudio, textBox } from '../../../src/timeline/index.js';

const schema = JSON.parse(readFileSync(new URL('../../../schema/timeline.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

const photo: MediaFile = { path: '/photo.jpg', width: 400, height: 200, durationSeconds: 0, hasAudio: false };
const videoFile: MediaFile = { path: '/film.mp4', width: 200, height: 100, durationSeconds: 4, hasAudio: true };
const sticker: MediaFile = { path: '/sticker.gif', width: 40, height: 20, durationSeconds: 0.8, plays: 0, hasAudio: false };
const song: MediaFile = { path: '/song.mp3', width: 0, height: 0, durationSeconds: 60, hasAudio: true };

/** Compiles with the files above, chosen by file extension, and checks the result against the schema. */
function compile(script: object, pieces = new Map<string, Piece[]>()): Timeline {
  const movie = parseMovie({ width: 200, height: 100, fps: 10, ...script }, { checkUrl: () => undefined });
  const elements = [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
  const files: Record<string, MediaFile> = { jpg: photo, mp4: videoFile, mp3: song, gif: sticker, once: { ...sticker, plays: 2 } };
  const fileOf = (src: string): MediaFile => files[src.split('.').at(-1) ?? ''] ?? song;
  const media = new Map(
    elements.flatMap((element) =>
      element.type !== 'image' && element.type !== 'video' && element.type !== 'audio' ? [] : [[element.path, fileOf(element.src)] as const],
    ),
  );
  const masks = new Map(
    elements.flatMap((element) => ('mask' in element && element.mask !== undefined ? [[element.path, fileOf(element.mask)] as const] : [])),
  );
  const durations = resolveDurations(movie, (element) => media.get(element.path)?.durationSeconds || undefined);
  const timeline = compileTimeline({ movie, durations, media, masks, pieces });
  expect(validate(timeline), JSON.stringify(validate.errors)).toBe(true);
  // The sound can do without what is drawn, and is the same.
  expect(unlabelled(compileAudio({ movie, durations, media }))).toEqual(unlabelled(cutAudio(timeline)));
  return timeline;
}

/** A file is named after the first element that uses it, seen or heard. */
const unlabelled = (timeline: Timeline) => ({ ...timeline, sources: timeline.sources.map(({ kind, path }) => ({ kind, path })) });

const image = (properties: object = {}) => ({ type: 'image', src: 'http://example.com/a.jpg', ...properties });
const firstClip = (elements: object[], more: object = {}) => {
  const clip = compile({ ...more, scenes: [{ duration: 2, elements }] }).sections[0]?.clips[0];
  if (clip === undefined) throw new Error('no clip');
  return clip;
};

describe('motion blur', () => {
  test.each([
    [{ motion_blur: true }, {}, 0.5],
    [{ 'motion-blur': '0.25' }, {}, 0.25],
    [{}, { motion_blur: 1 }, 1],
    [{ motion_blur: false }, { motion_blur: true }, undefined],
    [{}, {}, undefined],
  ])('of an element with %j in a movie with %j', (ofElement, ofMovie, expected) => {
    expect(firstClip([image(ofElement)], ofMovie).motionBlur).toBe(expected);
  });
});

describe('a chroma key', () => {
  test.each([
    [{ color: '#0f0' }, { color: '#00ff00ff', tolerance: 25 }],
    [
      { color: 'blue', tolerance: 40, softness: 0.2, despill: 0.5, choke: '0.1', view: 'matte' },
      { color: '#0000ffff', tolerance: 40, softness: 0.2, despill: 0.5, choke: 0.1, view: 'matte' },
    ],
  ])('%j', (chroma_key, expected) => {
    expect(firstClip([image({ chroma_key })]).chromaKey).toEqual(expected);
  });
});

describe('sharpening, vignette and grain', () => {
  test.each([
    [
      { sharpen: 0.4, grain: '0.2' },
      { sharpen: 0.4, grain: 0.2 },
    ],
    [{ vignette: 0.5 }, { vignette: { amount: 0.5, size: 0.4, softness: 0.8 } }],
    [{ vignette: '0.5' }, { vignette: { amount: 0.5, size: 0.4, softness: 0.8 } }],
    [{ vignette: {} }, { vignette: { amount: 0.5, size: 0.4, softness: 0.8 } }],
    [{ vignette: { amount: 1, size: 0.1 } }, { vignette: { amount: 1, size: 0.1, softness: 0.8 } }],
    [{ vignette: { amount: 0 }, sharpen: 0, grain: 0 }, {}],
    [{ vignette: 0 }, {}],
  ])('of an element with %j', (ofElement, expected) => {
    const { sharpen, vignette, grain } = firstClip([image(ofElement)]);
    expect(JSON.parse(JSON.stringify({ sharpen, vignette, grain }))).toEqual(expected);
  });
});

describe('a blurred image', () => {
  test('that fills the canvas is enlarged so that its faded edges are outside', () => {
    // The canvas is 200 x 100 and the image 2 : 1, so both have the same width.
    expect(firstClip([image({ resize: 'cover', blur: 10 })]).box).toEqual({ x: -50, y: -25, width: 300, height: 150 });
    // Left and right there is more of it outside than that: the other sides decide.
    const wide = firstClip([image({ resize: 'cover', crop: { x: 0, y: 0, width: 400, height: 100 }, blur: 2 })]).box;
    for (const [key, value] of Object.entries({ x: -120, y: -5, width: 440, height: 110 })) expect(wide[key as 'x']).toBeCloseTo(value, 9);
  });

  test('keeps its size if it does not fill the canvas or has its own edge', () => {
    for (const own of [{ width: 100, height: 100 }, { 'corner-radius': 10 }, { keyframes: [{ time: 0, scale: 1 }] }, { rotate: { angle: 10 } }]) {
      const properties = { width: 200, height: 100, ...own };
      expect(firstClip([image({ ...properties, blur: 10 })]).box).toEqual(firstClip([image(properties)]).box);
    }
  });
});

describe('animated images', () => {
  const seen = (elements: object[]) => {
    const { sources, sections } = compile({ scenes: [{ duration: 2, elements }] });
    return (sections[0]?.clips ?? []).map(({ source, media, mask, frames }) => ({ kind: sources[source ?? -1]?.kind, media, mask, frames }));
  };

  test('loop as in their file for the duration of the element', () => {
    expect(seen([image({ src: 'http://example.com/a.gif' }), image({ src: 'http://example.com/a.once', duration: 1 }), image()])).toEqual([
      { kind: 'animation', media: { in: 0, loops: -1 }, frames: 20 },
      { kind: 'animation', media: { in: 0, loops: 2 }, frames: 10 },
      { kind: 'image', frames: 20 },
    ]);
  });

  test('are a video in a video element', () => {
    expect(seen([{ type: 'video', src: 'http://example.com/a.gif', loop: 2, seek: 0.2 }])).toEqual([
      { kind: 'animation', media: { in: 0.2, loops: 2 }, frames: 12 },
    ]);
  });

  test('work as a mask', () => {
    const masked = (mask: string) => seen([image({ mask: `http://example.com/${mask}` })])[0]?.mask;
    expect(masked('a.once')).toMatchObject({ media: { in: 0, loops: 2 } });
    expect(masked('a.mp4')).toMatchObject({ media: { in: 0, loops: -1 } });
    expect(masked('a.jpg')).not.toHaveProperty('media');
  });
});

describe('placement', () => {
  test.each([
    ['natural size at the origin', {}, { x: 0, y: 0, width: 400, height: 200 }],
    ['one side given keeps the ratio', { width: 100, x: 10, y: 5 }, { x: 10, y: 5, width: 100, height: 50 }],
    ['both sides given stretch', { width: 50, height: 50 }, { x: 0, y: 0, width: 50, height: 50 }],
    ['cover fills the canvas', { resize: 'cover', crop: { x: 0, y: 0, width: 200, height: 200 } }, { x: 0, y: -50, width: 200, height: 200 }],
    ['contain fits within it', { resize: 'contain', crop: { x: 0, y: 0, width: 200, height: 200 } }, { x: 50, y: 0, width: 100, height: 100 }],
    ['a preset keeps 5 % from the edges', { width: 40, position: 'bottom-right' }, { x: 150, y: 75, width: 40, height: 20 }],
    ['x and y move away from a preset', { width: 40, position: 'top-left', x: 3, y: -1 }, { x: 13, y: 4, width: 40, height: 20 }],
    ['centred', { width: 40, position: 'center' }, { x: 80, y: 40, width: 40, height: 20 }],
  ])('%s', (_, properties, box) => {
    expect(firstClip([image(properties)]).box).toEqual(box);
  });

  test('crop becomes fractions, and a crop outside the image fails with the element’s name', () => {
    expect(firstClip([image({ crop: { x: 100, y: 50, width: 200, height: 100 } })]).crop).toEqual({ x: 0.25, y: 0.25, width: 0.5, height: 0.5 });
    expect(() => firstClip([image({ crop: { x: 500, y: 0, width: 10, height: 10 } })])).toThrow(/scenes\.0\.elements\.0\.crop.*400 × 200/);
  });
});

describe('the box of a text', () => {
  const box = (properties: object) => {
    const movie = parseMovie({ width: 200, height: 100, scenes: [{ elements: [{ type: 'text', text: 'x', font_size: 10, ...properties }] }] });
    const [element] = movie.scenes[0]?.elements ?? [];
    if (element?.type !== 'text') throw new Error('no text');
    return textBox(element, movie);
  };

  test.each([
    ['is the canvas', {}, { x: 0, y: 0, width: 200, height: 100 }],
    ['is the canvas moved by x and y', { x: 40, y: -40 }, { x: 40, y: -40, width: 200, height: 100 }],
    ['is as large as it says', { x: 100, y: 80, width: 50, height: 40 }, { x: 100, y: 80, width: 50, height: 40 }],
    ['keeps what is on the canvas where the text would not be seen', { x: 100, y: 80 }, { x: 100, y: 80, width: 100, height: 20 }],
    ['keeps it on the other side too', { x: -150, y: -60 }, { x: 0, y: 0, width: 50, height: 40 }],
    ['is where it says as long as a line is seen whole', { y: -44 }, { x: 0, y: -44, width: 200, height: 100 }],
    ['keeps it in one direction alone', { y: 80, width: 60 }, { x: 0, y: 80, width: 60, height: 20 }],
    ['stays outside when it is put there', { x: 200, y: -100 }, { x: 200, y: -100, width: 200, height: 100 }],
    ['stays outside when keyframes bring it in', { y: 80, keyframes: [{ time: 0, y: 0 }] }, { x: 0, y: 80, width: 200, height: 100 }],
    ['is within the margins of a preset', { position: 'center', y: 80 }, { x: 10, y: 86, width: 180, height: 90 }],
  ])('%s', (_, properties, expected) => {
    expect(box(properties)).toEqual(expected);
  });
});

describe('motion', () => {
  test('zoom in lasts until the end of the element and is clipped by its box', () => {
    const clip = firstClip([image({ resize: 'cover', zoom: 3 })]);
    expect(clip.scale).toEqual([
      { frame: 0, value: 1 },
      { frame: 20, value: 1.3 },
    ]);
    expect(clip.clip).toEqual({ x: 0, y: 0, width: 200, height: 100 });
  });

  test('zoom out starts magnified; a pan is its focal point', () => {
    const clip = firstClip([image({ resize: 'cover', zoom: -2, pan: 'top-left' })]);
    expect(clip.scale).toEqual([
      { frame: 0, value: 1.2 },
      { frame: 20, value: 1 },
    ]);
    expect(clip.anchor).toEqual({ x: 0, y: 0 });
  });

  test('a pan moves the image in the opposite direction without a gap', () => {
    const clip = firstClip([image({ resize: 'cover', pan: 'right', 'pan-distance': 0.2 })]);
    expect(clip.scale).toBe(1.2);
    expect(clip.x).toEqual([
      { frame: 0, value: 20 },
      { frame: 20, value: -20 },
    ]);
  });

  test('rotation with a speed rotates and is not clipped by the box', () => {
    const clip = firstClip([image({ rotate: { angle: 90, speed: 1 } })]);
    expect(clip.rotation).toEqual([
      { frame: 0, value: 0 },
      { frame: 10, value: 90 },
    ]);
    expect(clip.clip).toBeUndefined();
    expect(firstClip([image({ rotate: { angle: -15 } })]).rotation).toBe(-15);
  });
});

describe('order and time', () => {
  test('sorts by z-index, then script order, with movie elements below 0 under the scenes', () => {
    const timeline = compile({
      scenes: [{ duration: 2, elements: [image({ 'z-index': 5, x: 1 }), image({ x: 2 }), image({ x: 3 })] }],
      elements: [image({ 'z-index': -1, x: 4, duration: -2 }), image({ x: 5, duration: -2 })],
    });
    expect(timeline.sections[0]?.clips.map((clip) => clip.box.x)).toEqual([2, 3, 1]);
    expect(timeline.under.map((clip) => clip.box.x)).toEqual([4]);
    expect(timeline.over.map((clip) => clip.box.x)).toEqual([5]);
  });

  test('elements that use one file share a source', () => {
    expect(compile({ scenes: [{ duration: 1, elements: [image(), image()] }] }).sources).toHaveLength(1);
  });

  test('sections follow each other, and the first has no transition', () => {
    const transition = { style: 'fade', duration: 0.5 };
    const timeline = compile({
      scenes: [
        { duration: 1.5, transition },
        { duration: 2, transition },
      ],
    });
    expect(timeline.sections.map(({ start, frames }) => [start, frames])).toEqual([
      [0, 15],
      [15, 20],
    ]);
    expect(timeline.sections.map((section) => section.transition)).toEqual([undefined, { style: 'fade', frames: 5 }]);
  });

  test('video and sound of a clip have the same time range', () => {
    const timeline = compile({
      scenes: [
        { duration: 1 },
        { duration: 2, elements: [{ type: 'video', src: 'http://example.com/a.mp4', start: 0.5, seek: -3, loop: -1, volume: 0.4, 'fade-in': 0.3 }] },
      ],
    });
    const clip = timeline.sections[1]?.clips[0];
    expect(clip).toMatchObject({ start: 5, frames: 15, fadeIn: 3, media: { in: 1, loops: -1 } });
    expect(timeline.audio).toEqual([{ source: 0, start: 15, frames: 15, gain: 0.4, fadeIn: 3, media: { in: 1, loops: -1 } }]);
  });

  test('muted and silent clips have no audio', () => {
    const video = { type: 'video', src: 'http://example.com/a.mp4' };
    expect(
      compile({
        scenes: [
          {
            duration: 1,
            elements: [
              { ...video, muted: true },
              { ...video, volume: 0 },
            ],
          },
        ],
      }).audio,
    ).toEqual([]);
  });
});

describe('text', () => {
  const piece: Piece = {
    kind: 'sprite',
    path: '/a.sprite',
    x: 10,
    y: 20,
    width: 40,
    height: 30,
    opacity: [
      { frame: 0, value: 0 },
      { frame: 5, value: 1 },
    ],
  };
  const textClip = (properties: object) =>
    compile({ scenes: [{ duration: 2, elements: [{ type: 'text', text: 'x', ...properties }] }] }, new Map([['scenes.0.elements.0', [piece]]])).sections[0]
      ?.clips[0];

  test('pieces are in the text box and combine their own motion with the opacity', () => {
    expect(textClip({ opacity: 0.5 })).toMatchObject({
      box: { x: 10, y: 20, width: 40, height: 30 },
      opacity: [
        { frame: 0, value: 0 },
        { frame: 5, value: 0.5 },
      ],
    });
  });

  test('pieces rotate about the centre of the whole text', () => {
    const clip = textClip({ rotate: { angle: 10 } });
    expect(Number(clip?.anchor?.x) * 40 + 10).toBeCloseTo(100);
    expect(Number(clip?.anchor?.y) * 30 + 20).toBeCloseTo(50);
  });

  test('flipped text is mirrored', () => {
    expect(textClip({ 'flip-horizontal': true })).toMatchObject({ flipX: true, box: { x: 150 } });
  });

  describe('with animated pieces', () => {
    const rise = [
      { frame: 0, value: 13 },
      { frame: 5, value: 0 },
    ];
    const moving: Piece = {
      ...piece,
      shiftX: rise,
      shiftY: rise,
      scaleX: [{ frame: 0, value: 0.5 }],
      anchor: { x: 0, y: 1 },
      clip: { x: 0, y: 0, width: 60, height: 50 },
    };
    const clipOf = (properties: object) =>
      compile({ scenes: [{ duration: 2, elements: [{ type: 'text', text: 'x', ...properties }] }] }, new Map([['scenes.0.elements.0', [moving]]])).sections[0]
        ?.clips[0];

    test('pieces move within their element, clipped by their window', () => {
      expect(clipOf({})).toMatchObject({ piece: { x: rise, y: rise, scaleX: [{ frame: 0, value: 0.5 }], anchor: { x: 0, y: 1 } }, clip: moving.clip });
      expect(textClip({})).not.toHaveProperty('piece');
    });

    test('flipped pieces move the other way, with a mirrored window', () => {
      const clip = clipOf({ 'flip-horizontal': true });
      expect(clip?.piece).toMatchObject({ x: [{ value: -13 }, { value: -0 }], y: rise, anchor: { x: 1, y: 1 } });
      expect(clip?.clip).toMatchObject({ x: 140, width: 60 });
    });

    test('a rotating element has no window, because a window cannot rotate', () => {
      expect(clipOf({ rotate: { angle: 10 } })).not.toHaveProperty('clip');
    });
  });
});
