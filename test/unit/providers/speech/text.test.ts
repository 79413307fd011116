import { describe, expect, it } from 'vitest';
import { toPlainEnglish } from '../../../../src/providers/speech/engines/english-text.js';
import { chooseLanguage } from '../../../../src/providers/speech/language/choose-language.js';
import { isMaleVoice } from '../../../../src/providers/speech/language/gender.js';
import { splitSentences } from '../../../../src/providers/speech/text/sentences.js';
import { escapeAroundTags, hasSsml, parseSsml, plainText } from '../../../../src/providers/speech/text/ssml.js';

describe('SSML', () => {
  it('is only what the language knows', () => {
    expect(hasSsml('a < b and <3 <tag>')).toBe(false);
    expect(parseSsml('a < b &amp; c')).toEqual([{ text: 'a < b &amp; c' }]);
    expect(hasSsml('a<break/>b')).toBe(true);
  });

  it('gives text and pauses', () => {
    expect(parseSsml('<speak>One<break time="1.5s"/>two &lt; <emphasis level="strong">three</emphasis><break strength="weak"/></speak>')).toEqual([
      { text: 'One' },
      { pauseSeconds: 1.5 },
      { text: 'two < three' },
      { pauseSeconds: 0.5 },
    ]);
    expect(plainText('The <sub alias="World Wide Web">WWW</sub> is old')).toBe('The World Wide Web is old');
    expect(parseSsml('<break time="99999s"/>')).toEqual([{ pauseSeconds: 20 }]);
  });

  it('stays in a document, and everything else becomes text', () => {
    expect(escapeAroundTags('R&D &amp; <b>x</b> <break time="1s"/> "q"')).toBe('R&amp;D &amp; &lt;b&gt;x&lt;/b&gt; <break time="1s"/> &quot;q&quot;');
  });
});

describe('sentences', () => {
  const texts = (text: string) => splitSentences(text).map((sentence) => sentence.text);
  it.each([
    ['Dr. Smith paid $3.50. He left!', ['Dr. Smith paid $3.50.', 'He left!']],
    ['Really?! "Yes." Go', ['Really?!', '"Yes."', 'Go']],
    ['Das ist z.B. hier. Gut', ['Das ist z.B. hier.', 'Gut']],
    ['你好。今天！', ['你好。', '今天！']],
  ])('%j', (text, sentences) => expect(texts(text)).toEqual(sentences));

  it('a paragraph ends with a longer pause, and a break takes its place', () => {
    expect(splitSentences('One. Two.\n\nThree.').map(({ pauseSeconds }) => pauseSeconds)).toEqual([0.38, 0.65, 0.65]);
    expect(splitSentences('One.<break time="2s"/><break time="1s"/>Two').map(({ pauseSeconds }) => pauseSeconds)).toEqual([3, 0.65]);
  });

  it('long ones are cut, at commas where there are some, and nothing is lost', () => {
    const text = `${'word '.repeat(60)}, ${'other '.repeat(100)}${'x'.repeat(1000)}`;
    const cut = texts(text);
    expect(Math.max(...cut.map((part) => part.length))).toBeLessThanOrEqual(380);
    expect(cut.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });
});

describe('the language that is spoken', () => {
  it.each([
    [{ text: 'Hello', language: 'fr_ca' }, 'fr-CA'],
    [{ text: 'Hello', modelSettings: { language_code: 'de' } }, 'de'],
    [{ text: 'Hello', voice: 'es-MX-DaliaNeural' }, 'es-MX'],
    [{ text: 'Guten Tag, wie geht es Ihnen?', voice: 'en-US-EmmaMultilingualNeural' }, 'de'],
    [{ text: 'Good morning, how are you today?', voice: 'en-GB-AdaMultilingualNeural' }, 'en-GB'],
    [{ text: 'Привет, мир', voice: 'en-US-JennyNeural' }, 'ru'],
    [{ text: 'Summer sale' }, 'en-US'],
    [{ text: '12345' }, 'en-US'],
    [{ text: 'Hola, bienvenidos a nuestra tienda', voice: 'Bella' }, 'es'],
    [{ text: 'Hi', language: '../../etc' }, 'en-US'],
  ])('%j: %s', (request, language) => expect(chooseLanguage(request)).toBe(language));
});

it.each([
  ['en-US-GuyNeural', true],
  ['en-US-AndrewMultilingualNeural', true],
  ['en-US-EmmaMultilingualNeural', false],
  ['Brian', true],
  ['onyx', true],
  ['21m00Tcm4TlvDq8ikWAM', false],
  [undefined, false],
])('%s is a man\u2019s voice: %s', (voice, isMale) => expect(isMaleVoice(voice)).toBe(isMale));

it('text for English engines is plain, and nothing in it can end a string', () => {
  expect(toPlainEnglish('It\u2019s \u20ac25 \u2013 caf\u00e9 & \u201cmore\u201d\\ ") (system "x")')).toBe("It's 25 euros , cafe and more system x");
  expect(toPlainEnglish('日本')).toBe('');
});
