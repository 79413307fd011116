/** The locale at the start of a voice's name: `en-US` of `en-US-EmmaMultilingualNeural`; undefined without one. */
export function localeOfVoice(voice: string | undefined): string | undefined {
  const found = /^([a-z]{2,3})-((?:[A-Z][a-z]{3}-)?[A-Z]{2})(?:-|$)/.exec(voice ?? '');
  return found === null ? undefined : canonicalLocale(`${found[1]}-${found[2]}`);
}

/** The canonical BCP 47 form; undefined for an invalid tag. */
export function canonicalLocale(text: string | undefined): string | undefined {
  if (text === undefined || !/^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,3}$/i.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

export function languageOf(locale: string): string {
  return locale.split('-')[0] ?? locale;
}

/** The main writing system of a language: `Latn`, `Cyrl`, … */
export function scriptOf(locale: string): string {
  return new Intl.Locale(locale).maximize().script ?? 'Latn';
}
