/** Writes small neural networks as ONNX files, one protocol buffer field at a time. */

export const FLOAT = 1;
export const INT64 = 7;

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

/** Protocol buffer fields: integers and length-delimited values. */
const int = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);

function bytes(field: number, content: Buffer | string): Buffer {
  const body = Buffer.from(content);
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
}

export function value(name: string, type: number, dimensions: ReadonlyArray<number | string>): Buffer {
  const shape = dimensions.map((dimension) => bytes(1, typeof dimension === 'number' ? int(1, dimension) : bytes(2, dimension)));
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, Buffer.concat([int(1, type), bytes(2, Buffer.concat(shape))])))]);
}

export function node(operation: string, inputs: readonly string[], output: string, attributes: readonly Buffer[] = []): Buffer {
  return bytes(1, Buffer.concat([...inputs.map((input) => bytes(1, input)), bytes(2, output), bytes(4, operation), ...attributes.map((one) => bytes(5, one))]));
}

export function constant(name: string, type: number, shape: readonly number[], values: readonly number[]): Buffer {
  const raw = Buffer.alloc(values.length * (type === INT64 ? 8 : 4));
  for (const [i, one] of values.entries()) {
    if (type === INT64) raw.writeBigInt64LE(BigInt(one), i * 8);
    else raw.writeFloatLE(one, i * 4);
  }
  return bytes(5, Buffer.concat([...shape.map((size) => int(1, size)), int(2, type), bytes(8, name), bytes(9, raw)]));
}

export interface ToyGraph {
  nodes: readonly Buffer[];
  constants: readonly Buffer[];
  inputs: readonly Buffer[];
  outputs: readonly Buffer[];
  /** Metadata of the model. */
  metadata: Readonly<Record<string, string>>;
}

export function onnxModel({ nodes, constants, inputs, outputs, metadata }: ToyGraph): Buffer {
  const graph = Buffer.concat([
    ...nodes,
    bytes(2, 'toy'),
    ...constants,
    ...inputs.map((input) => bytes(11, input)),
    ...outputs.map((output) => bytes(12, output)),
  ]);
  const notes = Object.entries(metadata).map(([name, content]) => bytes(14, Buffer.concat([bytes(1, name), bytes(2, content)])));
  return Buffer.concat([int(1, 8), bytes(7, graph), bytes(8, Buffer.concat([bytes(1, ''), int(2, 14)])), ...notes]);
}

/** An integer attribute of a node. */
export function intAttribute(name: string, number: number): Buffer {
  return Buffer.concat([bytes(1, name), int(3, number), int(20, 2)]);
}

/** An integer list attribute of a node. */
export function intsAttribute(name: string, numbers: readonly number[]): Buffer {
  return Buffer.concat([bytes(1, name), ...numbers.map((number) => int(8, number)), int(20, 7)]);
}
