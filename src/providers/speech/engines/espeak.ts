import type { OfflineEngine } from './offline-engine.js';
import { runSpeechProgram } from './speech-program.js';

/** Languages of libespeak-ng 1.51, by the language of a locale. */
const languages = new Set(
  `af am an ar as az ba be bg bn bpy bs ca cs cv cy da de el en eo es et eu fa fi fr ga gd gn grc gu hak haw he hi hr ht hu hy ia id io is it ja jbo
  ka kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt my nb nci ne nl nog om or pa pap pl pt py quc ro ru sd shn si sjn sk sl smj sq sr
  sv sw ta te th tk tn tr tt ug uk ur uz vi yue`.split(/\s+/),
);
const renamed: Readonly<Record<string, string>> = {
  zh: 'cmn',
  cmn: 'cmn',
  no: 'nb',
  nn: 'nb',
  iw: 'he',
  wuu: 'cmn',
  fil: 'ms',
  tl: 'ms',
  jv: 'id',
  su: 'id',
  gl: 'pt',
};
const regional: Readonly<Record<string, string>> = {
  'en-US': 'en-us',
  'en-CA': 'en-us',
  en: 'en-us',
  'pt-BR': 'pt-br',
  'fr-BE': 'fr-be',
  'fr-CH': 'fr-ch',
  'zh-HK': 'yue',
  vi: 'vi',
};
const latinAmerican = /^es-(419|MX|AR|CO|CL|PE|VE|UY|PY|BO|EC|CR|GT|HN|NI|PA|SV|DO|CU|PR|US)$/;
/** The softest female variant of the library. */
const FEMALE = '+f2';

export function createEspeak(environment: Readonly<Record<string, string>>): OfflineEngine {
  return {
    name: 'espeak-ng',
    async findVersion() {
      try {
        const call = { folder: '/', signal: AbortSignal.timeout(20_000) };
        const [line] = await runSpeechProgram('espeak-ng', { name: 'en-us', speed: 1 }, ['a'], environment, call);
        return line === undefined ? undefined : `libespeak-ng.so.1/${line.audio.samples.length}`;
      } catch {
        return undefined;
      }
    },
    voiceFor(language, isMale) {
      const voice = espeakVoice(language);
      return voice === undefined ? undefined : `${voice}${isMale ? '' : FEMALE}`;
    },
    synthesize: (lines, voice, call) => runSpeechProgram('espeak-ng', voice, lines, environment, call),
  };
}

export const espeakLanguages: readonly string[] = [...languages, 'zh'].sort();

function espeakVoice(locale: string): string | undefined {
  const exact = regional[locale];
  if (exact !== undefined) return exact;
  if (latinAmerican.test(locale)) return 'es-419';
  const language = locale.split('-')[0] ?? locale;
  return renamed[language] ?? (languages.has(language) ? language : undefined);
}
