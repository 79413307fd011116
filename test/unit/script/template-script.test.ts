import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/index.js';
import { checkTemplateScript, movieSchema } from '../../../src/script/index.js';

function refusal(script: unknown): { code: string; path: string | undefined } | undefined {
  try {
    checkTemplateScript(script);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, path: error.path };
  }
}

interface Node {
  $ref?: string;
  type?: string | string[];
  pattern?: string;
  then?: { enum?: string[] };
  properties?: Record<string, Node>;
}
const parts = movieSchema.$defs as Record<string, Node>;
const namesOf = (part: Node): string[] => Object.keys(part.properties ?? {});
/** Only an object, a list, or text of a fixed form: a placeholder must be the whole value. */
const isStructured = (node: Node | undefined): boolean => {
  const target = node?.$ref === undefined ? node : parts[node.$ref.slice('#/$defs/'.length)];
  const types = [target?.type ?? []].flat();
  const isFreeText = types.includes('string') && target?.pattern === undefined && target?.then?.enum === undefined;
  return !isFreeText && types.some((type) => type === 'object' || type === 'array');
};
const required = { text: { type: 'text', text: 'x' }, image: { type: 'image', src: 'https://example.com/a' } } as const;
const elements = {
  ...required,
  video: { ...required.image, type: 'video' },
  audio: { ...required.image, type: 'audio' },
};
const inScene = (element: object) => ({ scenes: [{ elements: [element] }] });

describe('a template may have a placeholder', () => {
  it.each(namesOf(movieSchema as Node))('for %s of the script', (name) => {
    expect(refusal({ scenes: [{}], [name]: '{{value}}' })).toBeUndefined();
  });

  it.each(namesOf(parts.scene as Node))('for %s of a scene', (name) => {
    expect(refusal({ scenes: [{ [name]: '{{value}}' }] })).toBeUndefined();
  });

  it.each(Object.entries(elements).flatMap(([kind, element]) => namesOf(parts[kind] as Node).map((name) => [kind, name, element] as const)))(
    'for the %s property %s',
    (kind, name, element) => {
      expect(refusal(inScene({ ...element, [name]: '{{value}}' }))).toBeUndefined();
      const inText = refusal(inScene({ ...element, [name]: 'a {{value}}' }));
      expect(inText === undefined).toBe(!isStructured(parts[kind]?.properties?.[name]));
    },
  );

  it.each([
    ['crop', { crop: { width: '{{w}}', height: '{{h}}', x: '{{x}}' } }],
    ['rotate', { rotate: { angle: '{{a}}', speed: '{{s}}' } }],
    ['scale', { scale: { width: '{{w}}' } }],
  ])('inside %s', (_name, property) => {
    expect(refusal(inScene({ ...elements.image, ...property }))).toBeUndefined();
  });

  it('inside transitions, settings, exports, and for whole scenes and elements', () => {
    expect(refusal({ scenes: [{}, { transition: { style: '{{style}}', duration: '{{seconds}}' } }] })).toBeUndefined();
    expect(refusal(inScene({ ...elements.text, settings: { 'font-size': '{{size}}', color: '{{color}}' } }))).toBeUndefined();
    expect(refusal({ scenes: [{}], exports: ['{{target}}', { type: '{{type}}', password: '{{secret}}' }] })).toBeUndefined();
    expect(refusal({ scenes: ['{{first}}', { elements: ['{{logo}}', elements.text] }] })).toBeUndefined();
  });
});

describe('what can be known is refused', () => {
  it.each([
    ['no script', 'x', ''],
    ['no scenes', { width: '{{w}}' }, 'scenes'],
    ['a misspelt property with a placeholder', inScene({ ...elements.text, colr: '{{color}}' }), 'scenes.0.elements.0.colr'],
    ['a missing property beside placeholders', inScene({ type: 'image', width: '{{w}}' }), 'scenes.0.elements.0.src'],
    ['a wrong type', inScene({ ...elements.text, text: 7, color: '{{color}}' }), 'scenes.0.elements.0.text'],
    ['a number as text without a placeholder', { width: '1920', scenes: [{}] }, 'width'],
    ['a colour that is none', inScene({ ...elements.text, color: 'reddish', x: '{{x}}' }), 'scenes.0.elements.0.color'],
    ['an address that is none', inScene({ type: 'image', src: 'file:///etc/passwd', x: '{{x}}' }), 'scenes.0.elements.0.src'],
    ['a text beside a placeholder for a list', { scenes: 'these: {{scenes}}' }, 'scenes'],
    ['an unfinished placeholder', { width: '{{w', scenes: [{}] }, 'width'],
    ['a length beyond the limit', { scenes: ['{{first}}', { duration: 14_400 }, { duration: 2, background: '{{b}}' }] }, 'scenes.1'],
    ['an unknown kind', inScene({ type: 'txt', text: '{{t}}' }), 'scenes.0.elements.0.type'],
  ])('%s', (_name, script, path) => {
    expect(refusal(script)).toEqual({ code: 'SCHEMA_VALIDATION_ERROR', path });
  });

  it('JSON without end', () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 5000; depth += 1) deep = { _: deep };
    expect(refusal(deep)).toEqual({ code: 'SCHEMA_VALIDATION_ERROR', path: '' });
  });
});

it('large scripts full of placeholders are checked quickly', () => {
  const element = { type: 'text', text: '{{a}}', color: '{{b}}', x: '{{c}}', font_size: '{{d}}' };
  const scenes = Array.from({ length: 20 }, () => ({ elements: Array.from({ length: 500 }, () => element) }));
  // About 1 s when nothing else runs; work that grows with the square would take minutes, which is beyond a test's time.
  expect(refusal({ scenes })).toBeUndefined();
});
