import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { parseMovie, resolveDurations } from '../../../src/script/index.js';

const text = (more: object = {}) => ({ type: 'text', text: 'Hello', ...more });
const image = (more: object = {}) => ({ type: 'image', src: 'https://example.com/a.jpg', ...more });
const group = (elements: object[], more: object = {}) => ({ type: 'group', elements, ...more });
const movieOf = (elements: object[], more: object = {}) => parseMovie({ fps: 10, scenes: [{ elements }], ...more }, { checkUrl: () => undefined });
const elementsOf = (elements: object[], more: object = {}) => movieOf(elements, more).scenes[0]?.elements ?? [];

/** First frame and frames of each element. */
function spansOf(elements: object[], more: object = {}): Array<[number, number]> {
  const { scenes } = resolveDurations(movieOf(elements, more), () => undefined);
  return (scenes[0]?.elements ?? []).map(({ startFrame, frames }) => [startFrame, frames]);
}

function problemOf(run: () => unknown): { path: string; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return { path: String(error.path), message: error.message };
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a group', () => {
  test('is followed by its elements, which know it', () => {
    const elements = elementsOf([image(), group([text(), group([image({ id: 'deep' })], { rotate_y: 20 })], { opacity: 0.5, x: '10%' }), text()]);
    expect(elements.map(({ type, path, group: of }) => [type, path, of])).toEqual([
      ['image', 'scenes.0.elements.0', undefined],
      ['group', 'scenes.0.elements.1', undefined],
      ['text', 'scenes.0.elements.1.elements.0', 'scenes.0.elements.1'],
      ['group', 'scenes.0.elements.1.elements.1', 'scenes.0.elements.1'],
      ['image', 'scenes.0.elements.1.elements.1.elements.0', 'scenes.0.elements.1.elements.1'],
      ['text', 'scenes.0.elements.2', undefined],
    ]);
    expect(elements[1]).toMatchObject({ opacity: 0.5, x: 192, blendMode: 'normal', keyframes: [] });
    expect(elements[3]).toMatchObject({ rotateY: 20 });
  });

  test('lasts as long as its longest element, or to the end if none has a length; times count from its start', () => {
    expect(spansOf([group([text({ start: 1, duration: 2 }), image()], { start: 2 })])).toEqual([
      [20, 30],
      [30, 20],
      [20, 30],
    ]);
    expect(spansOf([text({ duration: 6 }), group([text(), image({ start: 1 })], { start: 2 })])).toEqual([
      [0, 60],
      [20, 40],
      [20, 40],
      [30, 30],
    ]);
  });

  test('with a duration ends its elements', () => {
    expect(spansOf([group([text({ duration: 9 }), image({ start: 2 }), text({ start: 4, duration: 1 })], { duration: 3 }), text({ duration: 5 })])).toEqual([
      [0, 30],
      [0, 30],
      [20, 10],
      [30, 0],
      [0, 50],
    ]);
  });

  test('is one step of a sequence', () => {
    expect(spansOf([group([text({ duration: 2 })]), group([text({ duration: 3 })], { start: -1 }), text({ start: -1, duration: 1 })])).toEqual([
      [0, 20],
      [0, 20],
      [20, 30],
      [20, 30],
      [50, 10],
    ]);
  });

  test('with a condition goes with its elements, and its variables are theirs', () => {
    const elements = elementsOf(
      [
        group([text()], { condition: '{{wanted}}' }),
        group([text({ text: '{{word}}', condition: '{{wanted}}' }), text({ text: '{{word}} {{name}}' })], { variables: { word: 'Hi' } }),
        group([text({ condition: '{{wanted}}' })]),
      ],
      { variables: { wanted: false, name: 'Ada' } },
    );
    expect(elements.map((element) => [element.path, element.group, 'text' in element ? element.text : ''])).toEqual([
      ['scenes.0.elements.1', undefined, ''],
      ['scenes.0.elements.1.elements.1', 'scenes.0.elements.1', 'Hi Ada'],
      ['scenes.0.elements.2', undefined, ''],
    ]);
  });

  test('has times that expressions know, also those of its elements', () => {
    const elements = [
      group([text({ id: 'title', start: 1, duration: 2 }), text({ id: 'back' })], { id: 'card', start: 2 }),
      text({ start: '{{card_end}}', duration: '{{title_duration}}' }),
      text({ start: '{{card_start + back_duration}}', duration: 1 }),
    ];
    expect(spansOf(elements).slice(3)).toEqual([
      [50, 20],
      [50, 10],
    ]);
  });

  test.each([
    ['a wrong property of an element', [group([text(), image({ opacity: 2 })])], {}, 'scenes.0.elements.0.elements.1.opacity', /from 0 to 1/],
    [
      'the same behind one that is left out',
      [group([text({ condition: false }), image({ opacity: '{{2}}' })])],
      {},
      'scenes.0.elements.0.elements.1.opacity',
      /from 0 to 1/,
    ],
    ['no elements', [{ type: 'group' }], {}, 'scenes.0.elements.0.elements', /elements/],
    ['a size', [group([text()], { width: 100 })], {}, 'scenes.0.elements.0.width', /width/],
    ['subtitles', [group([{ type: 'subtitles' }])], {}, 'scenes.0.elements.0.elements.0', /cannot be in a group/],
    [
      'five levels',
      [group([group([group([group([group([text()])])])])])],
      {},
      'scenes.0.elements.0.elements.0.elements.0.elements.0.elements.0',
      /more than 4 levels/,
    ],
    ['a chroma key', [group([text()], { chroma_key: {} })], {}, 'scenes.0.elements.0.chroma_key', /only/],
  ])('refuses %s', (_, elements, more, path, message) => {
    const problem = problemOf(() => movieOf(elements, more));
    expect(problem.path).toBe(path);
    expect(problem.message).toMatch(message);
  });

  test('counts its elements', () => {
    const many = Array.from({ length: 30 }, () => group(Array.from({ length: 400 }, () => text())));
    expect(problemOf(() => movieOf(many)).message).toMatch(/not have more than 10000 elements/);
  });
});
