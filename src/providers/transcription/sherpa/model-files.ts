import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

export type SpeechModelKind = 'whisper' | 'NeMo CTC' | 'zipformer CTC' | 'transducer' | 'NeMo transducer';

export interface SpeechModel {
  kind: SpeechModelKind;
  tokens: string;
  /** Model files by their names in sherpa-onnx's configuration. */
  files: Readonly<Record<string, string>>;
  /** How keywords are tokenized; absent: the model does not support them. */
  keywords?: { modelingUnit: 'bpe' | 'cjkchar'; bpeVocab: string; isUpperCase: boolean };
}

/** Detects the model in a folder by its sherpa-onnx file names; undefined if there is none. */
export function findSpeechModel(folder: string): SpeechModel | undefined {
  const names = listFolder(folder);
  const models = names.filter((name) => name.endsWith('.onnx'));
  const path = (name: string): string => join(folder, name);
  // `tokens.txt`, or for whisper `base.en-tokens.txt`.
  const tokens = names.filter((name) => name.endsWith('tokens.txt')).sort((a, b) => a.length - b.length)[0];
  if (tokens === undefined) return undefined;
  const [encoder, decoder, joiner] = ['encoder', 'decoder', 'joiner'].map((part) => bestOf(models.filter((name) => name.includes(part))));
  if (encoder !== undefined && decoder !== undefined && joiner !== undefined) {
    const files = { encoder: path(encoder), decoder: path(decoder), joiner: path(joiner) };
    const isNeMo = modelType(files.encoder).startsWith('EncDec');
    return { kind: isNeMo ? 'NeMo transducer' : 'transducer', tokens: path(tokens), files, ...(!isNeMo && keywordsOf(path(tokens), names, folder)) };
  }
  if (encoder !== undefined && decoder !== undefined)
    return { kind: 'whisper', tokens: path(tokens), files: { encoder: path(encoder), decoder: path(decoder) } };
  const model = bestOf(models);
  return model === undefined ? undefined : ctcModel(path(model), path(tokens));
}

function ctcModel(model: string, tokens: string): SpeechModel | undefined {
  const type = modelType(model);
  if (type.startsWith('EncDec')) return { kind: 'NeMo CTC', tokens, files: { model } };
  return type === 'zipformer2_ctc' ? { kind: 'zipformer CTC', tokens, files: { model } } : undefined;
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Full-precision models recognise better than the int8 ones beside them. */
function bestOf(models: readonly string[]): string | undefined {
  return [...models].sort((a, b) => Number(/int8/.test(a)) - Number(/int8/.test(b)) || a.length - b.length)[0];
}

function keywordsOf(tokens: string, names: readonly string[], folder: string): Pick<SpeechModel, 'keywords'> {
  const text = readFileSync(tokens, 'utf8');
  const isUpperCase = !/^▁?\p{Ll}+ \d+$/mu.test(text);
  if (names.includes('bpe.vocab')) return { keywords: { modelingUnit: 'bpe', bpeVocab: join(folder, 'bpe.vocab'), isUpperCase } };
  return (text.match(/^\p{Script=Han} \d+$/gmu) ?? []).length > 500 ? { keywords: { modelingUnit: 'cjkchar', bpeVocab: '', isUpperCase } } : {};
}

/** Bytes of ONNX metadata: the key "model_type", then the tag of its value. */
const KEY = Buffer.concat([Buffer.from([10, 10]), Buffer.from('model_type'), Buffer.from([18])]);
/** Metadata follows the graph at the end of the file. */
const TAIL_BYTES = 1_000_000;

/** The `model_type` in the file's metadata; empty without one. */
function modelType(path: string): string {
  if (!existsSync(path)) return '';
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const read = readSync(file, tail, 0, tail.length, size - tail.length);
    const at = tail.subarray(0, read).lastIndexOf(KEY);
    if (at < 0) return '';
    const start = at + KEY.length;
    return tail.toString('utf8', start + 1, start + 1 + (tail[start] ?? 0));
  } finally {
    closeSync(file);
  }
}
