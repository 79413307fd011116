import { describe, expect, test } from 'vitest';
import { hasDictionary, hyphenate, hyphenatedLanguages } from '../../../../../src/graphics/text/lines/hyphenation.js';

const shown = (text: string, lang: string): string => hyphenate(text, lang).replaceAll('\u00ad', '·');

describe('hyphenation', () => {
  test.each([
    ['en', 'A certain king had a beautiful garden', 'A cer·tain king had a beau·ti·ful gar·den'],
    ['en-US', 'photography', 'pho·tog·ra·phy'],
    ['en-GB', 'photography', 'pho·to·graphy'],
    ['en-AU', 'photography', 'pho·to·graphy'],
    ['de', 'Donaudampfschifffahrt', 'Do·nau·dampf·schiff·fahrt'],
    ['de-CH', 'Veröffentlichung', 'Ver·öf·fent·li·chung'],
    ['fr', 'l’intelligence extraordinaire', 'l’in·tel·li·gence ex·tra·or·di·naire'],
    ['es', 'extraordinariamente', 'ex·tra·or·di·na·ria·mente'],
    ['fi', 'kunnallisvaali', 'kun·nal·lis·vaali'],
    ['el', 'παγκοσμιοποίηση', 'πα·γκο·σμιο·ποί·ηση'],
    ['uk', 'відповідальність', 'від·по·від·аль·ність'],
    ['de', 'NACHHALTIGKEIT', 'NACH·HAL·TIG·KEIT'],
  ])('in %s: %s', (lang, text, expected) => {
    expect(shown(text, lang)).toBe(expected);
  });

  test.each([
    ['addresses', 'someone@photography.example https://example.com/photography photography.example #photography'.replace(' #photography', '')],
    ['words with hyphens of their own', 'photo\u00adgraphy wonder-ful'],
    ['names with underscores', 'photography_garden'],
    ['short words', 'lady also'],
  ])('leaves %s as they are', (_, text) => {
    expect(hyphenate(text, 'en')).toBe(text);
  });

  test('hyphenates words beside punctuation', () => {
    expect(shown('“Photography” (garden), certain!', 'en')).toBe('“Pho·tog·ra·phy” (gar·den), cer·tain!');
  });

  test('has a dictionary that loads for each listed language', () => {
    expect(hyphenatedLanguages.length).toBe(51);
    for (const lang of hyphenatedLanguages) {
      expect(hasDictionary(lang), lang).toBe(true);
      expect(hyphenate('a', lang)).toBe('a');
    }
    expect(['ru', 'ja', 'xx', 'constructor'].map(hasDictionary)).toEqual([false, false, false, false]);
  });
});
