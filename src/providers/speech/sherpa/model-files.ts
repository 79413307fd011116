import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The part of sherpa-onnx's configuration that names a voice's files. */
export type SherpaModel = Record<string, Record<string, string>>;

/** Detects the kind of voice in a folder by its sherpa-onnx file names; undefined if there is none. */
export function findModel(folder: string): { model: SherpaModel; ruleFsts: string } | undefined {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const path = (name: string): string => join(folder, name);
  const optional = (key: string, name: string): Record<string, string> => (names.includes(name) ? { [key]: path(name) } : {});
  const models = names.filter((name) => name.endsWith('.onnx'));
  const vocoder = models.find((name) => /^(vocos|hifigan|vocoder)/i.test(name));
  // Full-precision models sound better than the int8 ones beside them.
  const acoustic = models.filter((name) => name !== vocoder).sort((a, b) => Number(/int8/.test(a)) - Number(/int8/.test(b)) || a.length - b.length)[0];
  if (acoustic === undefined || !names.includes('tokens.txt')) return undefined;
  const lexicons = names.filter((name) => /^lexicon.*\.txt$/.test(name)).map(path);
  const shared = {
    tokens: path('tokens.txt'),
    ...optional('dataDir', 'espeak-ng-data'),
    ...optional('dictDir', 'dict'),
    ...(lexicons.length === 0 ? {} : { lexicon: lexicons.join(',') }),
  };
  const ruleFsts = names
    .filter((name) => name.endsWith('.fst'))
    .map(path)
    .join(',');
  return { model: modelOf(acoustic, vocoder, names, path, shared), ruleFsts };
}

function modelOf(
  acoustic: string,
  vocoder: string | undefined,
  names: readonly string[],
  path: (name: string) => string,
  shared: Record<string, string>,
): SherpaModel {
  if (vocoder !== undefined) return { matcha: { acousticModel: path(acoustic), vocoder: path(vocoder), ...shared } };
  if (!names.includes('voices.bin')) return { vits: { model: path(acoustic), ...shared } };
  const kind = /kitten/i.test(path(acoustic)) ? 'kitten' : 'kokoro';
  return { [kind]: { model: path(acoustic), voices: path('voices.bin'), ...shared } };
}
