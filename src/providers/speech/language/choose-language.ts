import { createRequire } from 'node:module';
import type { SpeechRequest } from '../speech.js';
import { canonicalLocale, languageOf, localeOfVoice, scriptOf } from './locale.js';

const require = createRequire(import.meta.url);

const DEFAULT_LOCALE = 'en-US';
/** Minimum confidence of a detected language; short texts are often misdetected. */
const SURE = 0.3;
/** Replacements for languages that the detector confuses with a more common one. */
const renamed: Readonly<Record<string, string>> = { yi: 'he', tlh: 'en', ber: 'ar' };

/**
 * Chooses the spoken language: the script's, else the voice name's, else the detected one. Multilingual voices speak the
 * text's language, and no voice reads a writing system that its language does not use.
 */
export function chooseLanguage(request: SpeechRequest): string {
  const said = canonicalLocale(request.language) ?? canonicalLocale(codeOf(request));
  if (said !== undefined) return said;
  const ofVoice = localeOfVoice(request.voice);
  if (ofVoice !== undefined && !/multilingual/i.test(request.voice ?? '') && !isForeignScript(request.text, ofVoice)) return ofVoice;
  return detectLanguage(request.text, ofVoice ?? DEFAULT_LOCALE);
}

function codeOf({ modelSettings }: SpeechRequest): string | undefined {
  const code = modelSettings?.language_code ?? modelSettings?.languageCode;
  return typeof code === 'string' ? code : undefined;
}

function detectLanguage(text: string, fallback: string): string {
  // Loaded on first use: its tables take a large part of a render process's start.
  const { detectAll } = require('tinyld') as typeof import('tinyld');
  const [best] = detectAll(text.slice(0, 2000));
  const isLatin = isMostlyLatin(text);
  if (best === undefined || (isLatin && best.accuracy < SURE)) return isLatin || !isForeignScript(text, fallback) ? fallback : (best?.lang ?? fallback);
  const language = renamed[best.lang] ?? best.lang;
  // The voice's locale has a region, the detected language does not.
  return language === languageOf(fallback) ? fallback : (canonicalLocale(language) ?? fallback);
}

function isForeignScript(text: string, locale: string): boolean {
  return scriptOf(locale) === 'Latn' && !isMostlyLatin(text);
}

function isMostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length * 2 >= letters.length;
}
