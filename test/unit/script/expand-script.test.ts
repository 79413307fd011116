import { describe, expect, it } from 'vitest';
import { dropUnusedVariables, type Movie, type ParseMovieOptions, parseMovie, type TextElement } from '../../../src/script/index.js';

const text = (more: object) => ({ type: 'text', text: 'x', ...more });
const texts = (movie: Movie) => movie.scenes.map((scene) => scene.elements.map((element) => (element as TextElement).text));
const refusal = (script: unknown, options: ParseMovieOptions = {}) => {
  try {
    parseMovie(script, options);
  } catch (error) {
    return error;
  }
  return undefined;
};
const refusedAt = (path: string, message: RegExp) =>
  expect.objectContaining({ code: 'SCHEMA_VALIDATION_ERROR', path, message: expect.stringMatching(message) });

describe('variables', () => {
  it('nearest wins: element, scene, movie', () => {
    const movie = parseMovie({
      variables: { a: 'movie', b: 'movie', c: 'movie', '@a': 'x=1', '?a': 'help' },
      scenes: [
        {
          variables: { b: 'scene', c: 'scene' },
          elements: [text({ variables: { c: 'element' }, text: '{{a}} {{b}} {{c}} {{@a}} {{?a}}' }), text({ text: '{{c}}' })],
        },
        { elements: [text({ text: '{{b}}' })] },
      ],
    });
    expect(texts(movie)).toEqual([['movie scene element {{@a}} {{?a}}', 'scene'], ['movie']]);
  });

  it('those of a scene may use those of the movie, and nothing is worked out twice', () => {
    const movie = parseMovie({
      variables: { name: 'Ada', tricky: '{{name}}' },
      scenes: [{ variables: { hello: 'Hello {{name}}' }, elements: [text({ text: '{{hello}}' }), text({ text: '{{tricky}}' })] }],
    });
    expect(texts(movie)).toEqual([['Hello Ada', '{{name}}']]);
  });

  it('give numbers to numbers and texts to texts, whatever they came as', () => {
    const movie = parseMovie({
      width: '{{w}}',
      height: '{{w / 2}}',
      fps: '{{fps}}',
      variables: { w: '640', fps: '25', seconds: '3', price: 9, opacity: '0.5' },
      scenes: [{ duration: '{{seconds}}', elements: [text({ text: '{{price}}', opacity: '{{opacity}}', start: '{{seconds - 2}}' })] }],
    });
    expect(movie).toMatchObject({ width: 640, height: 320, fps: { num: 25, den: 1 }, scenes: [{ duration: 3 }] });
    expect(movie.scenes[0]?.elements[0]).toMatchObject({ text: '9', opacity: 0.5, start: 1 });
  });

  it('whole scenes, elements and lists come out of them as they are', () => {
    const movie = parseMovie({
      variables: { scenes: [{ elements: [text({ text: '{{b}}' })] }], b: 'B', logo: text({ text: '{{b}}' }) },
      scenes: '{{scenes}}',
      elements: ['{{missing or logo}}'],
    });
    expect(texts(movie)).toEqual([['{{b}}']]);
    expect(movie.elements).toMatchObject([{ text: '{{b}}' }]);
  });

  it('without anything to work out a script is read as it stands', () => {
    const script = { scenes: [{ elements: [text({ text: '{ {a}} {{' })] }] };
    expect(texts(parseMovie(script))).toEqual([['{ {a}} {{']]);
  });

  it('set no prototype', () => {
    parseMovie(JSON.parse('{"variables":{"__proto__":{"polluted":1}},"scenes":[{"variables":{"__proto__":{"polluted":1}}}]}'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('conditions', () => {
  it.each([
    [true, true],
    [false, false],
    ['', false],
    ['yes', true],
    ['false', false],
    [null, true],
    ['{{a == 1}}', true],
    ['{{a == 2}}', false],
    ['{{a}}', true],
    ['{{zero}}', false],
    ['{{missing}}', false],
    ["{{missing != 'none'}}", false],
    ['{{ missing or a }}', true],
  ])('%j keeps: %s', (condition, isIncluded) => {
    const variables = { a: 1, zero: 0 };
    const movie = parseMovie({ variables, scenes: [{ condition, elements: [text({ text: 'in a scene' })] }, { elements: [text({ condition, text: 'e' })] }] });
    expect(texts(movie)).toEqual(isIncluded ? [['in a scene'], ['e']] : [[]]);
  });

  it('that leave no scene are refused', () => {
    expect(refusal({ scenes: [{ condition: false }] })).toEqual(refusedAt('scenes', /conditions and iterations leave none/));
  });
});

describe('iterations', () => {
  const rooms = [
    { name: 'Hall', seconds: '2' },
    { name: 'Attic', seconds: 3 },
  ];

  it('repeat a scene for each item, by its name and by the names of its fields', () => {
    const scene = { duration: '{{seconds}}', elements: [text({ text: '{{item.name}} {{name}} {{house}}' })] };
    const movie = parseMovie({ variables: { rooms, house: 'H', name: 'not this' }, scenes: [{ iterate: 'rooms', ...scene }, { elements: [text({})] }] });
    expect(texts(movie)).toEqual([['Hall Hall H'], ['Attic Attic H'], ['x']]);
    expect(movie.scenes.map(({ duration }) => duration)).toEqual([2, 3, 'auto']);
    expect(movie.scenes.map(({ path }) => path)).toEqual(['scenes.0[0]', 'scenes.0[1]', 'scenes.1']);
    expect(movie.scenes[1]?.elements[0]?.path).toBe('scenes.0[1].elements.0');
  });

  it('name the item, take paths and filter by conditions', () => {
    const movie = parseMovie({
      variables: { home: { rooms } },
      scenes: [{ iterate: 'home.rooms', 'iterate-as': 'room', condition: "{{room.name != 'Hall'}}", elements: [text({ text: '{{ room.name }}' })] }],
    });
    expect(texts(movie)).toEqual([['Attic']]);
  });

  it('take plain items and expressions', () => {
    const movie = parseMovie({ variables: { all: { de: ['a', 'b'] } }, scenes: [{ iterate: "{{all['de']}}", elements: [text({ text: '{{item}}' })] }] });
    expect(texts(movie)).toEqual([['a'], ['b']]);
  });

  it.each([
    [{ iterate: 'missing' }, 'scenes.0.iterate', /there is no such variable/],
    [{ iterate: 'n' }, 'scenes.0.iterate', /must name an array, but "n" is 5/],
    [{ iterate: 7 }, 'scenes.0.iterate', /name of an array variable, not 7/],
    [{ iterate: 'list', 'iterate-as': 'a b' }, 'scenes.0.iterate-as', /must be a name/],
    [{ iterate: 'many' }, 'scenes.0', /more than 1000 scenes/],
    [{ iterate: 'millions', condition: false }, 'scenes.0.iterate', /more than 20000 items/],
    [{ iterate: 'list', elements: 'thousands' }, 'scenes.0.elements', /must be an array/],
    [{ iterate: 'hundreds', elements: Array.from({ length: 400 }, () => text({})) }, 'scenes.0.elements', /more than 10000 elements/],
  ])('%j is refused', (scene, path, message) => {
    const variables = {
      n: 5,
      list: [1],
      many: Array.from({ length: 1001 }, () => 1),
      hundreds: Array.from({ length: 100 }, () => 1),
      millions: new Array(1e6).fill(1),
    };
    expect(refusal({ variables, scenes: [scene] })).toEqual(refusedAt(path, message));
  });
});

describe('imports', () => {
  it("append another scene's elements, with the names of the importing one", () => {
    const movie = parseMovie({
      scenes: [
        { id: 'logo', condition: false, elements: [text({ text: '{{title}}' })] },
        { import: 'logo', variables: { title: 'first' }, elements: [text({ text: 'own' })] },
        { import: 'logo', variables: { title: 'second' } },
      ],
    });
    expect(texts(movie)).toEqual([['own', 'first'], ['second']]);
    expect(movie.scenes[0]?.elements[1]?.path).toBe('scenes.1.import.elements.0');
  });

  it('are refused where they lead nowhere or in a circle', () => {
    expect(refusal({ scenes: [{ import: 'x' }] })).toEqual(refusedAt('scenes.0.import', /no scene has this id/));
    const row = Array.from({ length: 200 }, (_, index) => ({ id: `s${index}`, import: `s${index + 1}` }));
    expect(refusal({ scenes: row })).toEqual(refusedAt('scenes.99.import', /More than 100 scenes import each other/));
    const circle = [
      { id: 'a', import: 'b' },
      { id: 'b', import: 'a' },
    ];
    expect(refusal({ scenes: circle })).toEqual(refusedAt('scenes.1.import', /imports itself/));
  });
});

describe('paths of errors are those of the script as sent', () => {
  const wrong = text({ duration: '{{seconds}}' });
  it.each<[string, object, string]>([
    ['behind a removed scene', { scenes: [{ condition: false }, { elements: [text({ duration: 0 })] }] }, 'scenes.1.elements.0.duration'],
    ['behind a removed element', { scenes: [{ elements: [text({ condition: '' }), text({ duration: 0 })] }] }, 'scenes.0.elements.1.duration'],
    ['in an iteration', { scenes: [{}, { iterate: 'rooms', elements: [text({}), wrong] }] }, 'scenes.1.elements.1.duration'],
    ['behind an iteration', { scenes: [{ iterate: 'rooms' }, { elements: [text({ colr: 1 })] }] }, 'scenes.1.elements.0.colr'],
    ['in an imported element', { scenes: [{ id: 'a', condition: false, elements: [text({}), wrong] }, { import: 'a' }] }, 'scenes.0.elements.1.duration'],
    ['in the movie', { scenes: [{}], elements: [text({ condition: false }), wrong] }, 'elements.1.duration'],
    ['in an expression', { scenes: [{ condition: false }, { elements: [text({ x: '{{1 / 0}}' })] }] }, 'scenes.1.elements.0.x'],
    ['in a colour of an iteration', { scenes: [{ iterate: 'rooms', elements: [text({ color: 'reddish' })] }] }, 'scenes.0.elements.0.color'],
    ['too long', { scenes: [{ condition: false }, { duration: 14_000 }, { duration: 14_000 }] }, 'scenes.2'],
  ])('%s', (_name, script, path) => {
    expect(refusal({ variables: { rooms: [1, 2], seconds: 'abc' }, ...script })).toEqual(refusedAt(path, /./));
  });

  it('name the item', () => {
    const script = { variables: { rooms: [{ s: 1 }, { s: 0 }] }, scenes: [{ iterate: 'rooms', elements: [text({ duration: '{{s}}' })] }] };
    expect(refusal(script)).toEqual(refusedAt('scenes.0.elements.0.duration', /\(Item 2 of "rooms"\.\) It is written "\{\{s\}\}"\.$/));
  });
});

describe('times of elements', () => {
  const inScene = (elements: object[], more: object = {}) => ({ scenes: [{ ...more, elements }] });
  const times = (movie: Movie) => movie.scenes[0]?.elements.map(({ start, duration }) => [start, duration]);

  it('are variables of the others, before and after', () => {
    const movie = parseMovie(
      inScene([
        text({ start: '{{b_end + 0.5}}', duration: 1 }),
        text({ id: 'b', start: '{{a_end}}', duration: '{{a_duration / 2}}' }),
        text({ id: 'a', start: 1, duration: 4, 'extra-time': 1 }),
      ]),
    );
    expect(times(movie)).toEqual([
      [8.5, 1],
      [6, 2],
      [1, 4],
    ]);
    expect(movie.isEstimated).toBeUndefined();
  });

  it('of containers, sequences and styles follow the rules of the render', () => {
    const elements = [
      text({ id: 'all' }),
      text({ id: 'intro', style: '002', duration: -1 }),
      text({ id: 'next', start: -1, duration: 2 }),
      text({ text: '{{all_duration}} {{intro_end}} {{next_start}} {{next_end}} {{next_extratime}}', duration: 1 }),
    ];
    expect(texts(parseMovie(inScene(elements)))[0]?.[3]).toBe('7 5 5 7 0');
    expect(texts(parseMovie(inScene(elements, { duration: 9 })))[0]?.[3]).toBe('9 5 5 7 0');
    const image = { type: 'image', src: 'https://example.com/a.png' };
    const underImage = [
      image,
      text({ id: 'all' }),
      text({ duration: 2 }),
      text({ id: 'next', start: -1, duration: 1, text: '{{next_start}} {{all_duration}}' }),
    ];
    expect(texts(parseMovie(inScene(underImage)))[0]?.[3]).toBe('2 3');
    expect(texts(parseMovie(inScene([image, text({ id: 'next', start: -1, duration: 1, text: '{{next_start}}' })])))[0]?.[1]).toBe('5');
  });

  it('that hang on media are estimates until its length is known', () => {
    const video = { type: 'video', id: 'clip', src: 'https://example.com/a.mp4', seek: 2 };
    const script = inScene([video, text({ start: '{{clip_end - 12}}', duration: '{{clip_duration}}' })]);
    const estimated = parseMovie(script);
    expect(estimated.isEstimated).toBe(true);
    expect(times(estimated)?.[1]).toEqual([0, 10]);
    const known = parseMovie(script, { mediaSeconds: () => 22 });
    expect(known.isEstimated).toBeUndefined();
    expect(times(known)?.[1]).toEqual([8, 20]);
  });

  it('in a circle are refused by name', () => {
    const script = inScene([text({ id: 'a', start: '{{b_end}}', duration: 1 }), text({ id: 'b', start: '{{a_end}}', duration: 1 })]);
    expect(refusal(script)).toEqual(refusedAt('scenes.0.elements.0.start', /circle: start of "a" needs start of "b" needs start of "a"\.$/));
    expect(refusal(inScene([text({ id: 'a', start: '{{a_end}}', duration: 1 })]))).toEqual(refusedAt('scenes.0.elements.0.start', /circle/));
  });

  it('wait for each other in long rows, but not without end', () => {
    const sum = '+0'.repeat(98);
    const row = (length: number) =>
      inScene(Array.from({ length }, (_, index) => text({ id: `e${index}`, start: index === length - 1 ? 0 : `{{e${index + 1}_start${sum}}}`, duration: 1 })));
    expect(refusal(row(60))).toBeUndefined();
    expect(refusal(row(400))).toEqual(refusedAt('scenes.0.elements.64.start', /more than 64 steps/));
    const forward = Array.from({ length: 400 }, (_, index) => text({ id: `e${index}`, start: index === 0 ? 0 : `{{e${index - 1}_end}}`, duration: 1 }));
    expect(times(parseMovie(inScene(forward)))?.[399]).toEqual([399, 1]);
  });

  it('are those of the own item in an iteration', () => {
    const scene = { iterate: 'list', elements: [text({ id: 'a', duration: '{{item}}' }), text({ text: '{{a_end}}', duration: 1 })] };
    expect(texts(parseMovie({ variables: { list: [2, 3] }, scenes: [scene] }))).toEqual([
      ['x', '2'],
      ['x', '3'],
    ]);
  });
});

it('what is kept of a script has no variables for its exports alone', () => {
  const variables = { secret: 's', both: 'b', list: [1], unused: 'u', 'my name': 'n' };
  const exports = [{ type: 'ftp', password: '{{secret}}{{both}}' }];
  const script = { variables, exports, scenes: [{ iterate: 'list', elements: [text({ text: '{{upper(both)}} {{my name}}' })] }] };
  expect(dropUnusedVariables(script)).toEqual({ ...script, variables: { both: 'b', list: [1], 'my name': 'n' } });
  expect(dropUnusedVariables('x')).toBe('x');
});

it('null is absent', () => {
  expect(parseMovie({ elements: null, variables: null, scenes: [{ condition: null, iterate: null, import: null, variables: null }] }).scenes).toHaveLength(1);
});
