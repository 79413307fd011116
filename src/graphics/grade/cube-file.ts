import { AppError } from '../../errors/index.js';

/** A lookup table. `values` are R'G'B' triples; those of a 3D table have red fastest. */
export interface Cube {
  dimensions: 1 | 3;
  /** Vertices along a side. */
  size: number;
  /** Input of the first and the last vertex, per channel. */
  domain: { min: readonly number[]; max: readonly number[] };
  values: Float32Array;
}

/** Limits of .cube files. */
export const cubeLimits = { maxBytes: 64 * 1024 ** 2, maxSize3d: 129, maxSize1d: 65_536, maxLineLength: 1024 };

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const MAX_MAGNITUDE = 1e6;

/** Parses a .cube file (Adobe's specification 1.0 with Resolve's input ranges). Throws RENDER_FAILED with the line of a mistake. */
export function parseCube(text: string): Cube {
  return new CubeParser().parse(text);
}

class CubeParser {
  #line = 0;
  #dimensions: 1 | 3 | undefined;
  #size = 0;
  #min: readonly number[] = [0, 0, 0];
  #max: readonly number[] = [1, 1, 1];
  #values = new Float32Array(0);
  #count = 0;

  parse(text: string): Cube {
    for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
      const end = text.indexOf('\n', at);
      const next = end < 0 ? text.length : end;
      this.#line += 1;
      if (next - at > cubeLimits.maxLineLength) this.#fail(`is longer than ${cubeLimits.maxLineLength} characters`);
      this.#read(text.slice(at, next).trim());
      at = next + 1;
    }
    return this.#finish();
  }

  #read(line: string): void {
    if (line === '' || line.startsWith('#')) return;
    const words = line.split(/\s+/);
    const [keyword = '', ...rest] = words;
    if (number.test(keyword)) this.#addTriple(words);
    else this.#readKeyword(keyword, rest);
  }

  #readKeyword(keyword: string, rest: string[]): void {
    if (this.#count > 0) this.#fail(`has "${show(keyword)}" after the first values; only comments and values may follow them`);
    switch (keyword) {
      case 'TITLE':
        return;
      case 'LUT_1D_SIZE':
        this.#setSize(1, rest, cubeLimits.maxSize1d);
        return;
      case 'LUT_3D_SIZE':
        this.#setSize(3, rest, cubeLimits.maxSize3d);
        return;
      case 'DOMAIN_MIN':
        this.#min = this.#numbers(rest, 3, keyword);
        return;
      case 'DOMAIN_MAX':
        this.#max = this.#numbers(rest, 3, keyword);
        return;
      case 'LUT_1D_INPUT_RANGE':
      case 'LUT_3D_INPUT_RANGE': {
        const [min, max] = this.#numbers(rest, 2, keyword) as [number, number];
        this.#min = [min, min, min];
        this.#max = [max, max, max];
        return;
      }
      default:
        this.#fail(`has the unknown keyword "${show(keyword)}"`);
    }
  }

  #setSize(dimensions: 1 | 3, words: string[], max: number): void {
    if (this.#dimensions !== undefined) this.#fail('has a second size; a file with both a 1D and a 3D table is not supported');
    const [word = ''] = words;
    const size = /^\d{1,6}$/.test(word) && words.length === 1 ? Number(word) : 0;
    if (size < 2 || size > max) this.#fail(`must have a size from 2 to ${max}, not "${show(words.join(' '))}"`);
    this.#dimensions = dimensions;
    this.#size = size;
    this.#values = new Float32Array(3 * size ** dimensions);
  }

  #addTriple(words: string[]): void {
    if (this.#dimensions === undefined) this.#fail('has values before LUT_3D_SIZE or LUT_1D_SIZE');
    const triple = this.#numbers(words, 3, 'a vertex');
    if (this.#count === this.#values.length) this.#fail(`has more values than the ${this.#values.length / 3} vertices of the table`);
    this.#values.set(triple, this.#count);
    this.#count += 3;
  }

  #numbers(words: string[], count: number, name: string): number[] {
    if (words.length !== count) this.#fail(`must have ${count} numbers for ${name}, not ${words.length}`);
    return words.map((word) => {
      const value = number.test(word) ? Number(word) : Number.NaN;
      if (!(Math.abs(value) <= MAX_MAGNITUDE)) this.#fail(`has "${show(word)}" where a number is needed`);
      return value;
    });
  }

  #finish(): Cube {
    if (this.#dimensions === undefined) throw failure('the .cube file has no LUT_3D_SIZE or LUT_1D_SIZE');
    if (this.#count < this.#values.length) {
      throw failure(`the .cube file has ${this.#count / 3} of the ${this.#values.length / 3} vertices of the table`);
    }
    if (this.#max.some((max, channel) => !(max > (this.#min[channel] as number)))) {
      throw failure('the .cube file must have a DOMAIN_MAX greater than DOMAIN_MIN');
    }
    return { dimensions: this.#dimensions, size: this.#size, domain: { min: this.#min, max: this.#max }, values: this.#values };
  }

  #fail(reason: string): never {
    throw failure(`line ${this.#line} of the .cube file ${reason}`);
  }
}

function failure(message: string): AppError {
  return new AppError('RENDER_FAILED', { message: `${message}.` });
}

/** Untrusted text for a message. */
function show(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 40);
}
