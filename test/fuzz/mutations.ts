/** A deterministic random number generator. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    for (let turn = 0; turn < 8; turn += 1) this.below(2);
  }

  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    // xorshift32
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % Math.max(1, limit);
  }
}

const lengths = [0, 1, 7, 8, 15, 16, 0xff, 0x100, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff];

type Edit = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer;

const edits: readonly Edit[] = [
  flipBits,
  flipBits,
  function truncate(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length));
  },
  /** Writes an impossible length, count or time, mostly near the start, where headers are. */
  function writeLength(bytes, random) {
    const width = [1, 2, 4, 8][random.below(4)] ?? 4;
    const at = random.below(random.below(2) === 0 ? Math.min(bytes.length, 400) : bytes.length);
    if (at + width > bytes.length) return bytes;
    const value = lengths[random.below(lengths.length)] ?? 0;
    if (width === 8) bytes.writeBigUInt64BE(BigInt(value) << BigInt(random.below(33)), at);
    else if (random.below(2) === 0) bytes.writeUIntBE(value % 256 ** width, at, width);
    else bytes.writeUIntLE(value % 256 ** width, at, width);
    return bytes;
  },
  /** Changes a four-character code. */
  function swapNames(bytes, random) {
    const names = [...bytes.toString('latin1').matchAll(/[a-z][a-z0-9]{3}/g)].map(({ index }) => index);
    const [from, to] = [names[random.below(names.length)], names[random.below(names.length)]];
    if (from !== undefined && to !== undefined) bytes.copy(bytes, to, from, from + 4);
    return bytes;
  },
  function splice(bytes, random, others) {
    const other = others[random.below(others.length)] ?? bytes;
    const from = random.below(other.length);
    return Buffer.concat([bytes.subarray(0, random.below(bytes.length)), other.subarray(from, from + random.below(4000))]);
  },
  function repeatPart(bytes, random) {
    const [from, at] = [random.below(bytes.length), random.below(bytes.length)];
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + random.below(600)), bytes.subarray(at)]);
  },
  function removePart(bytes, random) {
    const from = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + random.below(200))]);
  },
  function fill(bytes, random) {
    const from = random.below(bytes.length);
    return bytes.fill(random.below(256), from, Math.min(bytes.length, from + random.below(64)));
  },
];

function flipBits(bytes: Buffer, random: Random): Buffer {
  const count = 1 + random.below(random.below(4) === 0 ? 200 : 6);
  for (let bit = 0; bit < count; bit += 1) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes;
}

/** One of the seeds with one to four mutations. */
export function mutate(seeds: readonly Buffer[], seed: number): { bytes: Buffer; from: number } {
  const random = new Random(seed);
  const from = random.below(seeds.length);
  let bytes = Buffer.from(seeds[from] ?? Buffer.alloc(1));
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    if (bytes.length < 2) break;
    bytes = Buffer.from((edits[random.below(edits.length)] ?? flipBits)(bytes, random, seeds));
  }
  return { bytes: bytes.length === 0 ? Buffer.from([0]) : bytes, from };
}
