import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constant, FLOAT, INT64, node, onnxModel, value } from '../../support/onnx.js';

/**
 * A recogniser of a few kilobytes in the form of ONNX: each of its tokens is a tone. It understands no people, but
 * sherpa-onnx runs it as it runs a real CTC model of the zipformer kind.
 */
export function writeToyRecogniser(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), toyModel());
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

/** Each token's score is the level of its band; silence's is always 0. */
function toyModel(): Buffer {
  const columns = toyTokens.length + 1;
  const bands = Array.from({ length: BINS * columns }, (_, i) => (i % columns > 0 && Math.floor(i / columns) === binOf((i % columns) - 1) ? 1 : 0));
  return onnxModel({
    nodes: [
      node('Slice', ['x', 'from', 'to', 'time', 'every'], 'frames'),
      node('MatMul', ['frames', 'bands'], 'levels'),
      node('LogSoftmax', ['levels'], 'log_probs'),
      node('Add', ['x_lens', 'rest'], 'padded'),
      node('Div', ['padded', 'subsampling'], 'log_probs_len'),
    ],
    constants: [
      constant('from', INT64, [1], [0]),
      constant('to', INT64, [1], [2 ** 31]),
      constant('time', INT64, [1], [1]),
      constant('every', INT64, [1], [SUBSAMPLING]),
      constant('rest', INT64, [1], [SUBSAMPLING - 1]),
      constant('subsampling', INT64, [1], [SUBSAMPLING]),
      constant('bands', FLOAT, [BINS, columns], bands),
    ],
    inputs: [value('x', FLOAT, ['N', 'T', BINS]), value('x_lens', INT64, ['N'])],
    outputs: [value('log_probs', FLOAT, ['N', 'S', columns]), value('log_probs_len', INT64, ['N'])],
    metadata: { model_type: 'zipformer2_ctc', version: '1', model_author: 'toy', comment: 'toy' },
  });
}
