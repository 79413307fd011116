import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constant, FLOAT, INT64, intAttribute, node, onnxModel, value } from '../../../support/onnx.js';

/**
 * A neural voice of a few hundred bytes in the form of ONNX: each letter is a tenth of a second of a tone whose pitch is
 * the letter's number. No voice for people, but sherpa-onnx runs it as it runs a real one.
 */
export function writeToyVoice(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), toyModel());
  const letters = ['_', ' ', ...'abcdefghijklmnopqrstuvwxyz.,!?'];
  writeFileSync(join(folder, 'tokens.txt'), letters.map((letter, i) => `${letter} ${i}\n`).join(''));
}

const SAMPLES_PER_LETTER = 1600;
const SAMPLE_RATE = 16_000;

/** sin(cumulative sum of the letters' numbers, each repeated) */
function toyModel(): Buffer {
  const info = {
    model_type: 'vits',
    comment: 'toy',
    language: 'English',
    sample_rate: String(SAMPLE_RATE),
    n_speakers: '0',
    frontend: 'characters',
    add_blank: '0',
  };
  const more = { punctuation: '', use_eos_bos: '0', blank_id: '0', bos_id: '0', eos_id: '0', pad_id: '0', version: '1' };
  return onnxModel({
    nodes: [
      node('Cast', ['x'], 'numbers', [intAttribute('to', FLOAT)]),
      node('Unsqueeze', ['numbers', 'last'], 'columns'),
      node('Tile', ['columns', 'repeats'], 'repeated'),
      node('Reshape', ['repeated', 'flat'], 'steps'),
      node('CumSum', ['steps', 'axis'], 'ramp'),
      node('Mul', ['ramp', 'pitch'], 'angle'),
      node('Sin', ['angle'], 'wave'),
      node('Mul', ['wave', 'level'], 'y'),
    ],
    constants: [
      constant('last', INT64, [1], [2]),
      constant('repeats', INT64, [3], [1, 1, SAMPLES_PER_LETTER]),
      constant('flat', INT64, [3], [1, 1, -1]),
      constant('axis', INT64, [], [2]),
      constant('pitch', FLOAT, [], [0.01]),
      constant('level', FLOAT, [], [0.3]),
    ],
    inputs: [
      value('x', INT64, [1, 'letters']),
      value('x_length', INT64, [1]),
      ...['noise_scale', 'length_scale', 'noise_scale_w'].map((name) => value(name, FLOAT, [1])),
    ],
    outputs: [value('y', FLOAT, [1, 1, 'samples'])],
    metadata: { ...info, ...more },
  });
}
