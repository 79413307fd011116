import { createHash, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm } from 'node:fs/promises';

/** Size, frame rate and frame count of a sequence. */
export interface SequenceFormat {
  width: number;
  height: number;
  fps: { num: number; den: number };
  frames: number;
}

const headerBytes = 32;
const version = 1;

/**
 * Writes a sequence file for native/formats: a frame list that refers to distinct PNG images. Images are written as they
 * arrive; the index is written at the end into space reserved for one image per frame.
 */
export class SequenceWriter {
  readonly #file: FileHandle;
  readonly #temporary: string;
  readonly #path: string;
  readonly #info: SequenceFormat;
  readonly #shown: number[] = [];
  readonly #images: Array<{ offset: number; length: number }> = [];
  readonly #indexByHash = new Map<string, number>();
  #end: number;

  private constructor(file: FileHandle, temporary: string, path: string, info: SequenceFormat) {
    this.#file = file;
    this.#temporary = temporary;
    this.#path = path;
    this.#info = info;
    this.#end = headerBytes + info.frames * (4 + 16);
  }

  static async create(path: string, info: SequenceFormat): Promise<SequenceWriter> {
    const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.part`;
    return new SequenceWriter(await open(temporary, 'wx'), temporary, path, info);
  }

  /** Size of the file so far, in bytes. */
  get bytes(): number {
    return this.#end;
  }

  get imageCount(): number {
    return this.#images.length;
  }

  get isFull(): boolean {
    return this.#shown.length >= this.#info.frames;
  }

  /** Adds the PNG image of the next frame. */
  async add(image: Uint8Array): Promise<void> {
    const name = createHash('sha256').update(image).digest('base64');
    let index = this.#indexByHash.get(name);
    if (index === undefined) {
      index = this.#images.length;
      this.#indexByHash.set(name, index);
      const offset = this.#end;
      this.#images.push({ offset, length: image.length });
      this.#end += image.length;
      this.#show(index);
      await this.#file.write(image, 0, image.length, offset);
    } else {
      this.#show(index);
    }
  }

  /** Repeats the previous frame. */
  repeat(): void {
    this.#show(this.#shown.at(-1) ?? 0);
  }

  /** Fills the remaining frames by repeating those from `frame` on. */
  loopFrom(frame: number): void {
    const cycle = this.#shown.slice(frame);
    for (let i = 0; !this.isFull; i++) this.#show(cycle[i % cycle.length] ?? 0);
  }

  /** Fills missing frames with the last image and renames the file to its final path. */
  async finish(): Promise<void> {
    if (this.#images.length === 0) throw new Error('a sequence needs at least one image');
    while (!this.isFull) this.repeat();
    const { width, height, fps, frames } = this.#info;
    const head = Buffer.alloc(headerBytes + frames * 4 + this.#images.length * 16);
    head.write('FWSQ', 'latin1');
    for (const [i, value] of [version, width, height, fps.num, fps.den, frames, this.#images.length].entries()) head.writeUInt32LE(value, 4 + i * 4);
    for (const [i, index] of this.#shown.entries()) head.writeUInt32LE(index, headerBytes + i * 4);
    for (const [i, { offset, length }] of this.#images.entries()) {
      const at = headerBytes + frames * 4 + i * 16;
      head.writeBigUInt64LE(BigInt(offset), at);
      head.writeBigUInt64LE(BigInt(length), at + 8);
    }
    await this.#file.write(head, 0, head.length, 0);
    await this.#file.close();
    await rename(this.#temporary, this.#path);
  }

  /** Deletes the temporary file; has no effect after finish(). */
  async discard(): Promise<void> {
    await this.#file.close().catch(() => {});
    await rm(this.#temporary, { force: true });
  }

  #show(index: number): void {
    if (this.isFull) throw new Error('the sequence has all its frames');
    this.#shown.push(index);
  }
}
