import { guessLanguage } from '../index.js';

/** The language in which words are found and capitals are set: the one named, else the one that the letters tell. */
export function languageOf(asked: string, text: string): string {
  const guessed = guessLanguage(text.slice(0, 20_000));
  if (asked === '' || asked === 'auto') return guessed;
  try {
    const [canonical = guessed] = Intl.getCanonicalLocales(asked.replaceAll('_', '-'));
    return canonical;
  } catch {
    return guessed;
  }
}
