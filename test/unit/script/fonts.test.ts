import { describe, expect, test } from 'vitest';
import type { AppError } from '../../../src/errors/index.js';
import type { SubtitlesElement, TextElement } from '../../../src/script/index.js';
import { parseMovie } from '../../../src/script/index.js';

const checkUrl = (url: string) => (url.includes('10.0.0.1') ? '10.0.0.1 is not a public address' : undefined);
const parse = <T>(element: object) => parseMovie({ scenes: [{ elements: [element] }] }, { checkUrl }).scenes[0]?.elements[0] as T;
const families = (properties: object) => parse<TextElement>({ type: 'text', text: 'x', ...properties }).typography.fontFamilies;
const url = 'https://example.com/a,b/font.woff2?v=1,2';

describe('fonts of a text', () => {
  test.each([
    ['names in order', { 'font-family': '"Open Sans", Roboto' }, ['Open Sans', 'Roboto']],
    ['the address of a file as a family', { 'font-family': url }, [url]],
    ['a file before the family', { font_url: url, font: 'Lato' }, [url, 'Lato']],
    ['a file in settings', { settings: { 'font-url': url } }, [url, 'Inter']],
    ['an empty address, which is none', { settings: { 'font-url': '' } }, ['Inter']],
  ])('%s', (_, properties, expected) => {
    expect(families(properties)).toEqual(expected);
  });

  test.each([
    ['font-url', { settings: { 'font-url': 'http://10.0.0.1/a.ttf' } }, 'settings.font-url'],
    ['font', { font: 'http://10.0.0.1/a.ttf' }, 'font'],
  ])('an address that may not be fetched is refused: %s', (name, properties, place) => {
    expect(() => families(properties)).toThrow(
      expect.objectContaining({ path: `scenes.0.elements.0.${place}`, message: `${name} is refused: 10.0.0.1 is not a public address.` }) as AppError,
    );
  });
});

describe('fonts of subtitles', () => {
  const look = (settings: object) => parse<SubtitlesElement>({ type: 'subtitles', settings }).look;

  test('a family, or a file with a family behind it', () => {
    expect(look({ 'font-family': 'Oswald Bold' }).fontFamily).toBe('Oswald Bold');
    expect(look({ 'font-family': url })).toMatchObject({ fontUrl: url, fontFamily: 'Arial' });
    expect(look({ 'font-family': 'Lato', 'font-url': url })).toMatchObject({ fontUrl: url, fontFamily: 'Lato' });
    expect(() => look({ 'font-url': 'http://10.0.0.1/a.ttf' })).toThrow('font-url is refused');
  });

  test('an unknown key is refused with its nearest name', () => {
    expect(() => look({ 'word-colour': '#fff' })).toThrow(
      expect.objectContaining({ path: 'scenes.0.elements.0.settings.word-colour', message: expect.stringContaining("did you mean 'word-color'?") }) as AppError,
    );
  });
});
