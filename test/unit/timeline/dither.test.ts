import { describe, expect, test } from 'vitest';
import type { Clip, Section, Source } from '../../../src/timeline/index.js';
import { gradientSpriteSuffix, needsDither } from '../../../src/timeline/index.js';

const clip: Clip = { source: 0, start: 0, frames: 10, box: { x: 0, y: 0, width: 10, height: 10 } };
const section = (transition?: string, clips: Clip[] = [clip]): Section => ({
  label: 'scene',
  start: 0,
  frames: 10,
  background: '#000000ff',
  clips,
  ...(transition !== undefined && { transition: { style: transition, frames: 5 } }),
});
const of = (kind: Source['kind'], path: string) => ({ sources: [{ kind, path, label: 'an element' }], under: [], sections: [section()], over: [] });

describe('a movie is dithered', () => {
  test.each([
    ['image', '/a.png'],
    ['video', '/a.mp4'],
    ['sequence', '/a.fwsq'],
    ['animation', '/a.gif'],
    ['sprite', `/a${gradientSpriteSuffix}`],
  ] as const)('if it shows a source that may have smooth colours: %s %s', (kind, path) => {
    expect(needsDither(of(kind, path))).toBe(true);
  });

  test.each(['circleopen', 'smoothleft', 'vertclose', 'horzopen', 'radial', 'diagtl', 'zoom-blur', 'light-leak', 'film-burn', 'luma'])(
    'if a transition has a wide soft edge: %s',
    (style) => {
      expect(needsDither({ sources: [], under: [], sections: [section(style)], over: [] })).toBe(true);
    },
  );

  test('if something is blurred', () => {
    expect(needsDither({ sources: [], under: [], sections: [section(undefined, [{ ...clip, blur: 4 }])], over: [] })).toBe(true);
    expect(needsDither({ sources: [], under: [], sections: [section()], over: [{ ...clip, blur: 4 }] })).toBe(true);
  });
});

describe('a movie of flat colours keeps them flat', () => {
  test.each([
    ['sprite', '/text.fwsp'],
    ['audio', '/a.mp3'],
  ] as const)('%s %s', (kind, path) => {
    expect(needsDither(of(kind, path))).toBe(false);
  });

  test.each([undefined, 'fade', 'wipeleft', 'slideup', 'pixelize'])('with the transition %s', (style) => {
    expect(needsDither({ sources: [], under: [], sections: [section(style)], over: [] })).toBe(false);
  });
});
