import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { movieSchema } from '../../../src/script/index.js';
import { formatJson } from '../../../src/studio/script/format-json.js';
import { type Insertion, insertElement, replaceAll, sceneIndexAt, setOnScene, setProperty, textElementAt } from '../../../src/studio/script/insertions.js';
import { namedValues, ScriptSchema } from '../../../src/studio/script/schema-walk.js';
import type { Path } from '../../../src/studio/script/syntax-nodes.js';
import { nodeAt, pathAt, rangeOf } from '../../../src/studio/script/syntax-nodes.js';
import { variablesOf, withValues } from '../../../src/studio/script/variables.js';

function stateOf(text: string, cursor = 0): EditorState {
  return EditorState.create({ doc: text, extensions: [json()], selection: { anchor: cursor } });
}

function applied(state: EditorState, insertion: Insertion | undefined): { text: string; selected: string } {
  if (insertion === undefined) throw new Error('nothing was inserted');
  const { newDoc: doc } = state.update({ changes: insertion.changes });
  return { text: doc.toString(), selected: doc.sliceString(insertion.select.from, insertion.select.to) };
}

const script = `{
  "scenes": [
    {
      "duration": 3,
      "elements": [
        { "type": "text", "text": "one", "a.b": { "c": 1 } },
        { "type": "image" }
      ]
    },
    { "duration": 2 }
  ]
}`;

describe('source locations of a script', () => {
  const state = stateOf(script);
  const marked = (path: string): string => {
    const { from, to } = rangeOf(state, path);
    return state.sliceDoc(from, to);
  };

  it('are found by the dotted paths of the service', () => {
    expect(marked('scenes.0.duration')).toBe('"duration": 3');
    expect(marked('scenes.0.elements.1.type')).toBe('"type": "image"');
    expect(marked('scenes.1')).toBe('{ "duration": 2 }');
    expect(marked('scenes.0.elements.0.a.b.c')).toBe('"c": 1');
  });

  it('of missing values are their nearest ancestor, on one line', () => {
    expect(marked('scenes.0.elements.1.src')).toBe('{ "type": "image" }');
    expect(marked('scenes.7.elements')).toBe('"scenes": [');
    expect(marked('width')).toBe('{');
    expect(marked('')).toBe('{');
  });

  it('map back to paths', () => {
    expect(pathAt(state, script.indexOf('"one"') + 2)).toEqual(['scenes', 0, 'elements', 0, 'text']);
    expect(pathAt(state, script.indexOf('2 }'))).toEqual(['scenes', 1, 'duration']);
  });

  it('are found at the end of a long script', () => {
    const long = stateOf(JSON.stringify({ scenes: Array.from({ length: 600 }, (_, index) => ({ duration: index + 1 })) }, undefined, 2));
    const { from, to } = rangeOf(long, 'scenes.599.duration');
    expect(long.sliceDoc(from, to)).toBe('"duration": 600');
  });

  it('are found in an incomplete script', () => {
    const broken = stateOf('{ "scenes": [ { "duration": 1, "elements": [ { "type": "text", "te" } ] } ], "width": }');
    const { from, to } = rangeOf(broken, 'scenes.0.elements.0.type');
    expect(broken.sliceDoc(from, to)).toBe('"type": "text"');
  });
});

describe('insertions', () => {
  it('append an element in the format of the others', () => {
    const state = stateOf(script);
    const { text, selected } = applied(state, insertElement(state, 0, { type: 'text', text: 'two' }));
    expect(JSON.parse(text).scenes[0].elements).toHaveLength(3);
    expect(selected).toBe('{ "type": "text", "text": "two" }');
    expect(text).toContain('{ "type": "image" },\n        { "type": "text", "text": "two" }\n');
  });

  it('create the array of elements if there is none', () => {
    const state = stateOf(script);
    const { text } = applied(state, insertElement(state, 1, { type: 'text', text: 'two' }));
    expect(JSON.parse(text).scenes[1]).toEqual({ duration: 2, elements: [{ type: 'text', text: 'two' }] });
    expect(insertElement(state, 2, {})).toBeUndefined();
  });

  it('fill empty objects and arrays', () => {
    for (const text of ['{"scenes":[{}]}', '{"scenes":[{"elements":[]}]}', '{"scenes":[{"elements":[\n]}]}']) {
      const state = stateOf(text);
      expect(JSON.parse(applied(state, insertElement(state, 0, { type: 'text' })).text).scenes[0].elements).toEqual([{ type: 'text' }]);
    }
  });

  it('replace existing values', () => {
    const state = stateOf(script);
    const first = applied(state, setOnScene(state, 1, 'transition', { style: 'fade' }));
    const second = stateOf(first.text);
    const { text } = applied(second, setOnScene(second, 1, 'transition', { style: 'radial' }));
    expect(JSON.parse(text).scenes[1]).toEqual({ duration: 2, transition: { style: 'radial' } });
  });

  it('find the text element and the scene at the cursor', () => {
    const inText = stateOf(script, script.indexOf('"one"') + 2);
    const element = textElementAt(inText);
    expect(JSON.parse(applied(inText, element && setProperty(inText, element, 'style', '004')).text).scenes[0].elements[0].style).toBe('004');
    expect(textElementAt(stateOf(script, script.indexOf('image')))).toBeUndefined();
    expect([sceneIndexAt(inText, 1), sceneIndexAt(stateOf(script, script.indexOf('2 }')), 0), sceneIndexAt(stateOf(script, 0), 1)]).toEqual([0, 1, 1]);
  });

  it('replace the whole script', () => {
    const state = stateOf(script);
    expect(JSON.parse(applied(state, replaceAll(state, { scenes: [] })).text)).toEqual({ scenes: [] });
  });
});

describe('the schema', () => {
  const schema = new ScriptSchema(movieSchema);
  const at = (text: string) => {
    const state = stateOf(text);
    return (path: ReadonlyArray<string | number>): string | undefined => {
      const node = nodeAt(state, path);
      return node?.name === 'String' ? (JSON.parse(state.sliceDoc(node.from, node.to)) as string) : undefined;
    };
  };
  const ofKind = (kind: string) => at(`{"scenes":[{"elements":[{"type":"${kind}"}]}]}`);
  const element = ['scenes', 0, 'elements', 0];

  it('lists the properties of an element type', () => {
    const names = (kind: string) => [...schema.propertiesAt(element, ofKind(kind)).keys()];
    expect(names('text')).toEqual(expect.arrayContaining(['text', 'style', 'font_size', 'start']));
    expect(names('text')).not.toContain('src');
    expect(names('image')).toContain('src');
    expect(names('image')).not.toContain('font_size');
    expect([...schema.propertiesAt([], ofKind('text')).keys()]).toEqual(expect.arrayContaining(['width', 'scenes', 'fps']));
  });

  it('lists values', () => {
    expect(namedValues(schema.at([...element, 'style'], ofKind('text')))).toHaveLength(11);
    expect(namedValues(schema.at([...element, 'type'], ofKind('text')))).toEqual(expect.arrayContaining(['text', 'image', 'component']));
    expect(namedValues(schema.at(['scenes', 0, 'transition', 'style'], ofKind('text'))).length).toBeGreaterThan(58);
    expect(namedValues(schema.at(['quality'], ofKind('text')))).toEqual(['low', 'medium', 'high']);
    expect(schema.at(['nothing', 'there'], ofKind('text'))).toEqual([]);
  });
});

it('knows the presets of a property that is a name or an object', () => {
  const schema = new ScriptSchema(movieSchema);
  const ofText = (path: Path) => (path[path.length - 1] === 'type' ? 'text' : undefined);
  const path = ['scenes', 0, 'elements', 0, 'animate', 'in'];
  expect(namedValues(schema.at(path, ofText))).toEqual(expect.arrayContaining(['fade', 'mask-reveal', 'highlight']));
  expect([...schema.propertiesAt(path, ofText).keys()]).toEqual(expect.arrayContaining(['type', 'stagger']));
});

describe('the schema with components', () => {
  const group = { type: 'object', properties: { text: { type: 'string' }, speed: { enum: ['slow', 'fast'] } } };
  const settings = { type: 'object', properties: { headline: group }, patternProperties: { '^box([1-9]|10)$': group } };
  const schema = new ScriptSchema(movieSchema).with([{ id: 'own/001', settings }]);
  const textAt = (path: ReadonlyArray<string | number>) => ({ type: 'component', component: 'own/001' })[String(path.at(-1))];
  const element = ['scenes', 0, 'elements', 0];

  it('lists their names and settings', () => {
    expect(namedValues(schema.at([...element, 'component'], textAt))).toEqual(['own/001']);
    expect([...schema.propertiesAt([...element, 'settings'], textAt).keys()]).toEqual(['headline', 'box1', 'box2', 'box3']);
    expect([...schema.propertiesAt([...element, 'settings', 'box7'], textAt).keys()]).toEqual(['text', 'speed']);
    expect(namedValues(schema.at([...element, 'settings', 'headline', 'speed'], textAt))).toEqual(['slow', 'fast']);
    expect([...schema.propertiesAt(element, textAt).keys()]).toContain('settings');
  });
});

describe('variables', () => {
  it('are declared scalars and undeclared placeholders', () => {
    const movie = {
      variables: { title: 'Hello', seconds: 4, loud: true, list: [{ word: 'a' }], '@title': 'for a form' },
      scenes: [
        { iterate: 'list', elements: [{ type: 'text', text: '{{title}} {{word}} {{ item }} {{missing}} {{ a + b }} {{intro_end}}' }] },
        { variables: { inner: 1 }, elements: [{ type: 'text', text: '{{inner}}' }] },
      ],
    };
    expect(variablesOf(movie).map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ['title', 'text', 'Hello'],
      ['seconds', 'number', 4],
      ['loud', 'boolean', true],
      ['missing', 'text', undefined],
    ]);
    expect(variablesOf('no movie')).toEqual([]);
  });

  it('replace those of the script for a render', () => {
    const movie = { scenes: [], variables: { a: 1, b: 2 } };
    expect(withValues(movie, { b: 3 })).toEqual({ scenes: [], variables: { a: 1, b: 3 } });
    expect(withValues(movie, {})).toBe(movie);
  });
});

it('formats JSON readably', () => {
  const movie = { width: 10, list: [1, 2], scenes: [{ duration: 1, elements: [{ type: 'text', text: 'x'.repeat(100) }, {}] }], empty: [], none: {} };
  const text = formatJson(movie);
  expect(JSON.parse(text)).toEqual(movie);
  expect(text.split('\n').slice(0, 6)).toEqual(['{', '  "width": 10,', '  "list": [1, 2],', '  "scenes": [', '    {', '      "duration": 1,']);
});
