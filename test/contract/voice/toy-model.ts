import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

const FLOAT = 1;
const INT64 = 7;
const SAMPLES_PER_LETTER = 1600;
const SAMPLE_RATE = 16_000;

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(out);
}

/** Fields of protocol buffers: whole numbers, and what has a length. */
const int = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);

function bytes(field: number, content: Buffer | string): Buffer {
  const body = Buffer.from(content);
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
}

function value(name: string, type: number, dimensions: ReadonlyArray<number | string>): Buffer {
  const shape = dimensions.map((dimension) => bytes(1, typeof dimension === 'number' ? int(1, dimension) : bytes(2, dimension)));
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, Buffer.concat([int(1, type), bytes(2, Buffer.concat(shape))])))]);
}

function node(operation: string, inputs: readonly string[], output: string, attributes: readonly Buffer[] = []): Buffer {
  return bytes(1, Buffer.concat([...inputs.map((input) => bytes(1, input)), bytes(2, output), bytes(4, operation), ...attributes.map((one) => bytes(5, one))]));
}

function constant(name: string, type: number, shape: readonly number[], values: readonly number[]): Buffer {
  const raw = Buffer.alloc(values.length * (type === INT64 ? 8 : 4));
  for (const [i, one] of values.entries()) {
    if (type === INT64) raw.writeBigInt64LE(BigInt(one), i * 8);
    else raw.writeFloatLE(one, i * 4);
  }
  return bytes(5, Buffer.concat([...shape.map((size) => int(1, size)), int(2, type), bytes(8, name), bytes(9, raw)]));
}

/** sin(cumulative sum of the letters' numbers, each repeated) */
function toyModel(): Buffer {
  const toFloat = Buffer.concat([bytes(1, 'to'), int(3, FLOAT), int(20, 2)]);
  const graph = Buffer.concat([
    node('Cast', ['x'], 'numbers', [toFloat]),
    node('Unsqueeze', ['numbers', 'last'], 'columns'),
    node('Tile', ['columns', 'repeats'], 'repeated'),
    node('Reshape', ['repeated', 'flat'], 'steps'),
    node('CumSum', ['steps', 'axis'], 'ramp'),
    node('Mul', ['ramp', 'pitch'], 'angle'),
    node('Sin', ['angle'], 'wave'),
    node('Mul', ['wave', 'level'], 'y'),
    bytes(2, 'toy'),
    constant('last', INT64, [1], [2]),
    constant('repeats', INT64, [3], [1, 1, SAMPLES_PER_LETTER]),
    constant('flat', INT64, [3], [1, 1, -1]),
    constant('axis', INT64, [], [2]),
    constant('pitch', FLOAT, [], [0.01]),
    constant('level', FLOAT, [], [0.3]),
    bytes(11, value('x', INT64, [1, 'letters'])),
    bytes(11, value('x_length', INT64, [1])),
    ...['noise_scale', 'length_scale', 'noise_scale_w'].map((name) => bytes(11, value(name, FLOAT, [1]))),
    bytes(12, value('y', FLOAT, [1, 1, 'samples'])),
  ]);
  const facts = {
    model_type: 'vits',
    comment: 'toy',
    language: 'English',
    sample_rate: String(SAMPLE_RATE),
    n_speakers: '0',
    frontend: 'characters',
    add_blank: '0',
  };
  const more = { punctuation: '', use_eos_bos: '0', blank_id: '0', bos_id: '0', eos_id: '0', pad_id: '0', version: '1' };
  const metadata = Object.entries({ ...facts, ...more }).map(([name, content]) => bytes(14, Buffer.concat([bytes(1, name), bytes(2, content)])));
  return Buffer.concat([int(1, 8), bytes(7, graph), bytes(8, Buffer.concat([bytes(1, ''), int(2, 14)])), ...metadata]);
}
