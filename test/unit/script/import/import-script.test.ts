import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportError, type ImportFormat, importFormats, importScript, type Note } from '../../../../src/script/import/index.js';
import { parseMovie } from '../../../../src/script/index.js';

type Json = Record<string, unknown>;
interface Script {
  scenes: Array<{ duration: unknown; background: string; elements: Json[]; transition?: object }>;
  elements?: Json[];
  [name: string]: unknown;
}

const documentOf = (format: ImportFormat): Json =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/import/${format}.json`, import.meta.url), 'utf8')) as Json;
const parsed = (script: object) => parseMovie(script, { checkUrl: () => undefined });
const translate = (format: ImportFormat, document: Json = documentOf(format)): { script: Script; notes: Note[] } => {
  const { script, notes } = importScript(document, format);
  parsed(script);
  return { script: script as Script, notes };
};
const pathsOf = (notes: Note[], kind: Note['kind']): string[] => notes.filter((note) => note.kind === kind).map(({ path }) => path);

describe('a Shotstack edit', () => {
  const { script, notes } = translate('shotstack');
  const [scene] = script.scenes;
  const find = (where: Json): Json => scene?.elements.find((element) => Object.entries(where).every(([name, value]) => element[name] === value)) ?? {};

  it('has its size, its variables and its call-back', () => {
    expect(script).toMatchObject({ width: 512, height: 288, fps: 15, quality: 'high', variables: { NAME: 'Ada' }, webhook_uri: 'https://example.com/hook' });
    expect(script.elements).toEqual([{ type: 'audio', src: 'media/music.wav', duration: -2, volume: 0.4, fade_in: 1, fade_out: 1 }]);
    expect(scene).toMatchObject({ duration: 6, background: '#102030' });
  });

  it('is drawn from the last track to the first, each clip at its time', () => {
    expect(scene?.elements.map(({ type, start, duration }) => [type, start, duration])).toEqual([
      ['image', 0, 3],
      ['video', 3, 3],
      ['audio', 1, 2],
      ['html', 3, 2],
      ['image', 1, 4],
      ['text', 0, 3],
      ['text', 3, 3],
    ]);
  });

  it('keeps fit, place, motion, looks and sound', () => {
    expect(find({ src: 'media/lake-dusk.jpg' })).toMatchObject({ resize: 'cover', zoom: 4, correction: { saturation: 0 } });
    expect(find({ type: 'video' })).toMatchObject({
      seek: 0.5,
      volume: 0.5,
      keyframes: [
        { time: 2, volume: 1 },
        { time: 3, volume: 0 },
      ],
    });
    expect(find({ src: 'media/logo.png' })).toMatchObject({
      resize: 'contain',
      flip_horizontal: true,
      x: 168.96,
      y: -92.16,
      keyframes: [
        { time: 0, scale: 0.3, opacity: 0, easing: 'easeInOutCubic' },
        { time: 1, opacity: 0.9, rotation: 0 },
        { time: 3, rotation: 20 },
      ],
    });
    expect(find({ text: 'Hello {{NAME}}' })).toMatchObject({ color: '#ffd27a80', font: 'Bebas Neue', horizontal_position: 'left', vertical_position: 'top' });
    expect(find({ text: 'A box of text' })).toMatchObject({ x: 246.4, y: 199.2, width: 240, height: 60, background_color: '#c0392bcc', line_height: 1.1 });
    // A carousel to the left comes from the right, in half a second.
    expect(find({ text: 'A box of text' }).keyframes).toEqual([
      { time: 0, x: 512, y: 0, easing: 'easeOutQuad' },
      { time: 0.5, x: 0, y: 0 },
    ]);
  });

  it('tells what is not in it, or not exactly', () => {
    expect(pathsOf(notes, 'left out')).toEqual([
      'output.thumbnail',
      'timeline.tracks.1.clips.0.transform.skew',
      'timeline.tracks.2.clips.0.asset.crop',
      'timeline.tracks.2.clips.1.filter',
      'timeline.fonts.0.src',
    ]);
    expect(pathsOf(notes, 'approximated')).toEqual([
      'timeline.tracks.0.clips.0.asset.style',
      'timeline.tracks.1.clips.0.position',
      'timeline.tracks.2.clips.0.transition.out',
      'timeline.tracks.2.clips.2.start',
    ]);
  });

  it('goes on after clips as long as their media', () => {
    const clip = (start: unknown, length: unknown): object => ({ asset: { type: 'video', src: 'a.mp4' }, start, length });
    const document = {
      timeline: { tracks: [{ clips: [clip(0, 'auto'), clip('auto', 'auto'), clip(0, 'end')] }] },
      output: { size: { width: 640, height: 640 } },
    };
    const { script: open, notes } = translate('shotstack', document);
    expect(open).toMatchObject({ width: 640, height: 640 });
    expect(open.scenes[0]?.duration).toBe('auto');
    expect(open.scenes[0]?.elements.map(({ start, duration }) => [start, duration])).toEqual([
      [0, -1],
      [-1, -1],
      [0, -2],
    ]);
    expect(pathsOf(notes, 'approximated')).toEqual(['timeline.tracks.0.clips.1.start']);
  });
});

describe('a Creatomate source', () => {
  const { script, notes } = translate('creatomate');
  const elements = script.scenes[0]?.elements ?? [];
  const find = (where: Json): Json => elements.find((element) => Object.entries(where).every(([name, value]) => element[name] === value)) ?? {};

  it('has its tracks one after the other, overlapping in transitions', () => {
    expect(script).toMatchObject({ width: 640, height: 360, fps: 25 });
    expect(script.scenes[0]).toMatchObject({ duration: 6, background: '#0b1021' });
    expect(elements.map(({ type, start, duration }) => [type, start, duration])).toEqual([
      ['image', 0, 3],
      ['video', 2.5, 3.5],
      ['text', 0.5, 4],
      ['text', 0.5, 4],
      ['text', 2, 3],
      ['image', 2, 3],
      ['text', 4.5, -2],
      ['audio', 0, -2],
    ]);
  });

  it('keeps places, motion, looks and sound', () => {
    expect(find({ type: 'video' })).toMatchObject({ seek: 1, volume: 0.5, resize: 'cover', fade_in: 0.5, correction: { saturation: expect.closeTo(0.2) } });
    expect(find({ type: 'video' }).keyframes).toEqual([
      { time: 3, volume: 1 },
      { time: 3.5, volume: 0 },
    ]);
    expect(find({ src: 'media/mountains-dawn.jpg' }).keyframes).toEqual([
      { time: 0, easing: 'linear', scale: 1.2 },
      { time: '100%', scale: 1 },
    ]);
    const shape = find({ text: ' ' });
    expect(shape).toMatchObject({ x: 32, y: 252, width: 256, height: 72 });
    expect(shape.settings).toEqual({
      background: 'linear-gradient(90deg, #d0006f 0%, #ff7a3d 100%)',
      width: '256px',
      min_height: '72px',
      border_radius: '10.8px',
    });
    expect(shape.skew_x).toBe(10);
    // It heads to the left, so it comes from the right.
    expect(shape.keyframes).toEqual([
      { time: 0, easing: 'easeOutQuad', x: 640, y: 0 },
      { time: 0.6, x: 0, y: 0 },
    ]);
    expect(find({ text: 'Hello, video' })).toMatchObject({
      style: '005',
      fade_out: 0.5,
      font_size: 28.8,
      font_weight: '800',
      color: '#ffffff',
      text_shadow: '0px 0px 3.6px rgba(0,0,0,0.5)',
    });
    // In a group, at the group's place and time.
    expect(find({ src: 'media/logo.png' })).toMatchObject({
      start: 2,
      x: 492.8,
      opacity: 0.9,
      keyframes: [
        { time: 0, rotation: 0 },
        { time: 3, rotation: 90 },
      ],
    });
    expect(find({ type: 'audio' })).toMatchObject({
      volume: 0.3,
      keyframes: [
        { time: 0, volume: 0 },
        { time: 1, volume: 1 },
      ],
    });
  });

  it('has a group for a composition with a look or motion of its own', () => {
    const card = { type: 'image', source: 'a.png', width: '50%', height: '50%', time: 0.5, duration: 1 };
    const composition = {
      type: 'composition',
      x: '50%',
      y: '50%',
      width: '50%',
      height: '50%',
      time: 1,
      duration: 3,
      opacity: '80%',
      y_rotation: [
        { time: 0, value: '-90°' },
        { time: 2, value: '0°', easing: 'quadratic-out' },
      ],
      shadow_color: 'rgba(0,0,0,0.5)',
      shadow_blur: '2 vmin',
      clip: true,
      elements: [card, { ...card, track: 1, x_rotation: 20, time: null }],
    };
    const { script: made, notes: left } = translate('creatomate', { width: 400, height: 200, elements: [composition] });
    expect(made.scenes[0]?.elements).toMatchObject([
      {
        type: 'group',
        start: 1,
        duration: 3,
        opacity: 0.8,
        drop_shadow: { color: 'rgba(0,0,0,0.5)', blur: 4, x: 0, y: 0 },
        keyframes: [
          { time: 0, rotate_y: -90 },
          { time: 2, rotate_y: 0 },
        ],
        elements: [
          { start: 0.5, duration: 1 },
          { start: 0, rotate_x: 20 },
        ],
      },
    ]);
    expect(pathsOf(left, 'left out')).toEqual(['elements.0.clip']);
  });

  it('tells what is not in it, or not exactly', () => {
    expect(pathsOf(notes, 'left out')).toEqual(['snapshot_time', 'elements.7.type', 'elements.7.source']);
    expect(pathsOf(notes, 'approximated')).toEqual(['elements.3.animations.0.type', 'elements.3.animations.1.type', 'elements.4.elements.0.fit']);
  });
});

describe('an editly spec', () => {
  const { script, notes } = translate('editly');

  it('has a scene for each clip, which begins when the one before has gone over into it', () => {
    expect(script).toMatchObject({ width: 640, height: 360, fps: 25 });
    expect(script.scenes.map(({ duration, transition }) => [duration, transition])).toEqual([
      [1.6, undefined],
      [2.4, { style: 'slide', direction: 'left', duration: 0.4 }],
      [1.6, { style: 'circleopen', duration: 0.6 }],
      [2, { style: 'fade', duration: 0.4 }],
      [2, undefined],
    ]);
    expect(script.elements).toEqual([
      { type: 'audio', src: 'media/music.wav', duration: -2, loop: -1, volume: 0.501 },
      { type: 'audio', src: 'media/music.wav', start: 4, duration: 2, seek: 5, volume: 0.6 },
    ]);
  });

  it('keeps layers with their places, times and defaults', () => {
    const [first, second, third, , last] = script.scenes;
    expect(first).toMatchObject({ background: '#16324f', elements: [{ type: 'text', text: 'Hello, editly', font_size: 36, zoom: 2 }] });
    expect(second?.elements[0]).toMatchObject({ resize: 'cover', zoom: -3 });
    expect(second?.elements[1]).toMatchObject({ x: 480, y: 18, width: 128, start: 0.5, duration: 2 });
    // contain-blur is the same video twice, with audio once.
    expect(third?.elements.slice(0, 2)).toMatchObject([
      { seek: 0.5, resize: 'cover', blur: 30, muted: true, volume: 0.5 },
      { seek: 0.5, resize: 'contain', volume: 0.5 },
    ]);
    expect(third?.elements[1]).not.toHaveProperty('muted');
    expect(third?.elements[2]).toMatchObject({ x: 416, y: 234, width: 192 });
    expect(last?.elements[0]?.settings).toMatchObject({ background: 'radial-gradient(circle, #ffd27a, #d0006f)' });
  });

  it('tells what is not in it, or not exactly', () => {
    expect(pathsOf(notes, 'left out')).toEqual(['audioNorm', 'clips.3.layers.1.fontPath', 'clips.3.layers.2.type', 'clips.3.layers.2.fragmentPath']);
    expect(pathsOf(notes, 'approximated')).toEqual(['clips.2.layers.1.width', 'clips.2.transition.name', 'clips.3.layers.1.type']);
    const cut = translate('editly', { ...documentOf('editly'), clips: [{ duration: 4, layers: [{ type: 'video', path: 'a.mp4', cutTo: 1 }] }] });
    expect(pathsOf(cut.notes, 'approximated')).toContain('clips.0.layers.0.cutTo');
  });

  it('is silent unless it keeps the sound of its videos', () => {
    const layers = [{ type: 'video', path: 'a.mp4', resizeMode: 'cover' }];
    const { script: silent } = translate('editly', { clips: [{ layers }] });
    expect(silent.scenes[0]).toMatchObject({ duration: 'auto', elements: [{ muted: true, duration: -1 }] });
  });
});

describe('luma mattes of Shotstack', () => {
  it('mask the clips of their track at the same time', () => {
    const clips = [
      { asset: { type: 'image', src: 'a.png' }, start: 0, length: 2 },
      { asset: { type: 'luma', src: 'matte.mp4' }, start: 2, length: 2 },
      { asset: { type: 'video', src: 'b.mp4' }, start: 2, length: 2 },
    ];
    const { script, notes } = translate('shotstack', { timeline: { tracks: [{ clips }, { clips: clips.slice(0, 1) }] }, output: {} });
    const elements = script.scenes[0]?.elements as Array<{ src: string; mask?: string }>;
    expect(elements.map(({ src, mask }) => [src, mask])).toEqual([
      ['a.png', undefined],
      ['a.png', undefined],
      ['b.mp4', 'matte.mp4'],
    ]);
    expect(notes).toEqual([]);
    const longer = [{ ...clips[1], start: 0, length: 4 }, clips[2]];
    expect(pathsOf(translate('shotstack', { timeline: { tracks: [{ clips: longer }] }, output: {} }).notes, 'approximated')).toEqual([
      'timeline.tracks.0.clips.0.start',
    ]);
  });
});

describe('easings', () => {
  it('are translated by name', () => {
    const names = ['quartic-in', 'quintic-in-out', 'bounce-out', 'elastic-out'];
    const y = names.map((easing, i) => ({ time: i, value: i, easing }));
    const moving = translate('creatomate', { width: 64, height: 64, elements: [{ type: 'text', text: 'a', duration: 5, y }] });
    expect(moving.script.scenes[0]?.elements[0]).toMatchObject({
      keyframes: ['easeInQuart', 'easeInOutQuint', 'easeOutBounce', 'easeOutElastic'].map((easing) => ({ easing })),
    });
    const opacity = [{ from: 0, to: 1, start: 0, length: 1, interpolation: 'bezier', easing: 'easeInOutQuart' }];
    const clip = { asset: { type: 'image', src: 'a.png' }, start: 0, length: 2, opacity };
    const { script } = translate('shotstack', { timeline: { tracks: [{ clips: [clip] }] }, output: {} });
    expect(script.scenes[0]?.elements[0]).toMatchObject({ keyframes: [{ easing: 'easeInOutQuart' }, {}] });
  });

  it('of editly transitions come from the clip or the defaults', () => {
    const clip = (transition?: object): object => ({ layers: [{ type: 'fill-color' }], ...(transition && { transition }) });
    const clips = [clip({ name: 'fade', easing: 'easeOutExpo' }), clip(), clip()];
    const defaults = { transition: { name: 'fade', easing: 'easeInOutCubic' } };
    const { script, notes } = translate('editly', { defaults, clips });
    expect(script.scenes.map(({ transition }) => (transition as { easing?: string } | undefined)?.easing)).toEqual([
      undefined,
      'easeOutExpo',
      'easeInOutCubic',
    ]);
    expect(pathsOf(notes, 'left out')).toEqual([]);
  });
});

describe('media without a source', () => {
  it('are left out, unless they are made from words', () => {
    const clip = (asset: object): object => ({ asset, start: 0, length: 1 });
    const clips = [clip({ type: 'image' }), clip({ type: 'audio', prompt: 'a song' }), clip({ type: 'video', prompt: 'a wave' })];
    const edit = translate('shotstack', { timeline: { tracks: [{ clips }] }, output: {} });
    expect(edit.script.scenes[0]?.elements).toMatchObject([{ type: 'video', prompt: 'a wave' }]);
    expect(pathsOf(edit.notes, 'left out')).toEqual([
      'timeline.tracks.0.clips.0.asset.src',
      'timeline.tracks.0.clips.1.asset.src',
      'timeline.tracks.0.clips.1.asset.prompt',
    ]);
    expect(pathsOf(translate('creatomate', { width: 64, height: 64, elements: [{ type: 'video' }] }).notes, 'left out')).toEqual(['elements.0.source']);
    const spec = translate('editly', { width: 64, height: 64, fps: 25, clips: [{ layers: [{ type: 'image' }], transition: null }] });
    expect(pathsOf(spec.notes, 'left out')).toEqual(['clips.0.layers.0.path']);
  });
});

describe('nothing is dropped in silence', () => {
  it.each(importFormats)('a field that %s does not have is noted, wherever it stands', (format) => {
    const document = documentOf(format);
    const paths: string[] = [];
    const plant = (value: unknown, path: string): void => {
      if (Array.isArray(value)) for (const [index, item] of value.entries()) plant(item, `${path}.${index}`);
      else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) plant(inner, path === '' ? name : `${path}.${name}`);
        (value as Json).nonesuch = 1;
        paths.push(path === '' ? 'nonesuch' : `${path}.nonesuch`);
      }
    };
    plant(document, '');
    const noted = new Set(pathsOf(translate(format, document).notes, 'left out'));
    const isNoted = (path: string): boolean => noted.has(path) || [...noted].some((other) => path.startsWith(`${other}.`));
    // Clips and elements that are not in the video are noted as a whole; gradients, fonts and tables of defaults are read as they stand.
    const asWhole = /luma|lottie|fill_color\.\d|z_rotation|fonts\.0|defaults\.layerType|thumbnail|audioNorm|skew|crop|tracks\.2\.clips\.2\.nonesuch/;
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter((path) => !isNoted(path) && !asWhole.test(path))).toEqual([]);
  });

  it.each(importFormats)('whatever a document of %s holds, what comes out is a script or an error of the import', (format) => {
    const document = documentOf(format);
    const places: Array<(change: unknown) => Json> = [];
    const collect = (value: unknown, path: Array<string | number>): void => {
      if (path.length > 0) {
        places.push((change) => {
          const copy = structuredClone(document);
          let at = copy as Record<string | number, unknown>;
          for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
          at[path.at(-1) ?? ''] = change;
          return copy;
        });
      }
      if (typeof value === 'object' && value !== null) for (const [name, inner] of Object.entries(value)) collect(inner, [...path, name]);
    };
    collect(document, []);
    fc.assert(
      fc.property(
        fc.nat(places.length - 1),
        fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant([]), fc.constant({}), fc.boolean()),
        (at, change) => {
          try {
            importScript(places[at]?.(change), format);
          } catch (error) {
            expect(error).toBeInstanceOf(ImportError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the format', () => {
  it.each(importFormats)('%s is known by its looks', (format) => {
    expect(importScript(documentOf(format), undefined)).toEqual(importScript(documentOf(format), format));
  });

  it('that is another one, or none, is reported', () => {
    expect(() => importScript(documentOf('editly'), 'shotstack')).toThrow(
      'is not a Shotstack edit: it has no timeline.tracks. It looks like editly: use --from editly.',
    );
    expect(() => importScript({ scenes: [] }, undefined)).toThrow('It is already a movie script.');
    expect(() => importScript([1], undefined)).toThrow('has no importable format: shotstack (timeline.tracks), creatomate');
  });
});
