import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constant, FLOAT, INT64, intAttribute, intsAttribute, node, onnxModel, value } from '../../../support/onnx.js';

/**
 * A recogniser of a few kilobytes in the form of ONNX: each of its tokens is a tone. It understands no people, but
 * sherpa-onnx runs it as it runs a real CTC model.
 */
export function writeToyRecogniser(folder: string, kind: 'zipformer CTC' | 'NeMo CTC' = 'zipformer CTC'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), kind === 'NeMo CTC' ? neMoModel() : zipformerModel());
  writeFileSync(join(folder, 'tokens.txt'), ['<blk>', ...toyTokens].map((token, i) => `${token} ${i}\n`).join(''));
}

export const toyTokens = ['▁hel', 'lo', '▁big', '▁world', '!'] as const;
export type ToyToken = (typeof toyTokens)[number];

const BINS = 80;
const SUBSAMPLING = 4;
/** Bands that lie far enough apart for each tone to sound in its own alone. */
const binOf = (token: number): number => 14 + token * 13;

const melOf = (hertz: number): number => 1127 * Math.log(1 + hertz / 700);
const [lowest, highest] = [melOf(20), melOf(7600)];

/** The middle of the band in which a token is heard. */
export function pitchOf(token: ToyToken): number {
  const mel = lowest + ((highest - lowest) * (binOf(toyTokens.indexOf(token)) + 1)) / (BINS + 1);
  return 700 * (Math.exp(mel / 1127) - 1);
}

/** The same for the bands that NeMo's models listen to: even up to 1 kHz, then by equal ratios, up to 8 kHz. */
export function pitchOfNeMo(token: ToyToken): number {
  const linear = 15;
  const step = 27 / Math.log(6.4);
  const mel = ((linear + step * Math.log(8)) * (binOf(toyTokens.indexOf(token)) + 1)) / (BINS + 1);
  return mel < linear ? (mel * 200) / 3 : 1000 * Math.exp((mel - linear) / step);
}

const columns = toyTokens.length + 1;
/** Each token's score is the level of its band; silence's is always 0. */
const scores = [
  node('Slice', ['steps', 'from', 'to', 'time', 'every'], 'frames'),
  node('MatMul', ['frames', 'bands'], 'levels'),
  node('LogSoftmax', ['levels'], 'log_probs'),
];
const constants = [
  constant('from', INT64, [1], [0]),
  constant('to', INT64, [1], [2 ** 31]),
  constant('time', INT64, [1], [1]),
  constant('every', INT64, [1], [SUBSAMPLING]),
  constant(
    'bands',
    FLOAT,
    [BINS, columns],
    Array.from({ length: BINS * columns }, (_, i) => (i % columns > 0 && Math.floor(i / columns) === binOf((i % columns) - 1) ? 1 : 0)),
  ),
];

function zipformerModel(): Buffer {
  return onnxModel({
    nodes: [node('Identity', ['x'], 'steps'), ...scores, node('Add', ['x_lens', 'rest'], 'padded'), node('Div', ['padded', 'subsampling'], 'log_probs_len')],
    constants: [...constants, constant('rest', INT64, [1], [SUBSAMPLING - 1]), constant('subsampling', INT64, [1], [SUBSAMPLING])],
    inputs: [value('x', FLOAT, ['N', 'T', BINS]), value('x_lens', INT64, ['N'])],
    outputs: [value('log_probs', FLOAT, ['N', 'S', columns]), value('log_probs_len', INT64, ['N'])],
    metadata: { model_type: 'zipformer2_ctc', version: '1', model_author: 'toy', comment: 'toy' },
  });
}

function neMoModel(): Buffer {
  return onnxModel({
    nodes: [node('Transpose', ['audio_signal'], 'steps', [intsAttribute('perm', [0, 2, 1])]), ...scores],
    constants,
    inputs: [value('audio_signal', FLOAT, ['N', BINS, 'T']), value('length', INT64, ['N'])],
    outputs: [value('log_probs', FLOAT, ['N', 'S', columns])],
    metadata: { model_type: 'EncDecCTCModelBPE', vocab_size: String(columns - 1), subsampling_factor: String(SUBSAMPLING), normalize_type: '', version: '1' },
  });
}

/** The same as a transducer of three networks, with keywords split into its tokens. */
export function writeToyTransducer(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tokens.txt'), ['<blk>', ...toyTokens, '<unk>'].map((token, i) => `${token} ${i}\n`).join(''));
  writeFileSync(join(folder, 'bpe.vocab'), toyTokens.map((token, i) => `${token}\t${-i}\n`).join(''));
  writeFileSync(join(folder, 'encoder.onnx'), encoderModel());
  writeFileSync(join(folder, 'decoder.onnx'), decoderModel());
  writeFileSync(join(folder, 'joiner.onnx'), joinerModel());
}

function encoderModel(): Buffer {
  const [slice, levels] = scores;
  return onnxModel({
    nodes: [
      node('Identity', ['x'], 'steps'),
      ...([slice, levels] as Buffer[]),
      node('Identity', ['levels'], 'encoder_out'),
      node('Add', ['x_lens', 'rest'], 'padded'),
      node('Div', ['padded', 'subsampling'], 'encoder_out_lens'),
    ],
    constants: [...constants, constant('rest', INT64, [1], [SUBSAMPLING - 1]), constant('subsampling', INT64, [1], [SUBSAMPLING])],
    inputs: [value('x', FLOAT, ['N', 'T', BINS]), value('x_lens', INT64, ['N'])],
    outputs: [value('encoder_out', FLOAT, ['N', 'S', columns]), value('encoder_out_lens', INT64, ['N'])],
    metadata: { model_type: 'zipformer2', version: '1', model_author: 'toy', comment: 'toy' },
  });
}

/** A token is not repeated. */
function decoderModel(): Buffer {
  const once = Array.from({ length: columns * columns }, (_, i) => (i % (columns + 1) === 0 && i > 0 ? -100 : 0));
  return onnxModel({
    nodes: [node('Gather', ['y', 'newest'], 'last', [intAttribute('axis', 1)]), node('Gather', ['once', 'last'], 'decoder_out')],
    constants: [constant('newest', INT64, [], [1]), constant('once', FLOAT, [columns, columns], once)],
    inputs: [value('y', INT64, ['N', 2])],
    outputs: [value('decoder_out', FLOAT, ['N', columns])],
    metadata: { vocab_size: String(columns), context_size: '2' },
  });
}

function joinerModel(): Buffer {
  return onnxModel({
    nodes: [node('Add', ['encoder_out', 'decoder_out'], 'logit')],
    constants: [],
    inputs: [value('encoder_out', FLOAT, ['N', columns]), value('decoder_out', FLOAT, ['N', columns])],
    outputs: [value('logit', FLOAT, ['N', columns])],
    metadata: { joiner_dim: String(columns) },
  });
}
