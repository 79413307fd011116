import { writeFileAtomically } from '../../canvas/sprite-file.js';
import { PageFailure } from '../chromium/page-failure.js';
import { type SequenceFormat, SequenceWriter } from './sequence-file.js';

/** Writes the frames of a page: a PNG if there is only one image, otherwise a sequence file. */
export class FrameFile {
  readonly #base: string;
  readonly #info: Omit<SequenceFormat, 'width' | 'height'>;
  #first: Buffer | undefined;
  #firstFrames = 0;
  #sequence: SequenceWriter | undefined;

  constructor(base: string, info: Omit<SequenceFormat, 'width' | 'height'>) {
    this.#base = base;
    this.#info = info;
  }

  /** Adds the image of the next frame; undefined repeats the previous one. */
  async add(image: Buffer | undefined): Promise<void> {
    if (this.#sequence) {
      if (image) await this.#sequence.add(image);
      else this.#sequence.repeat();
      return;
    }
    this.#first ??= image;
    if (image === undefined || image === this.#first) {
      this.#firstFrames += 1;
      return;
    }
    this.#sequence = await SequenceWriter.create(`${this.#base}.fwsq`, { ...this.#info, ...sizeOf(this.#first ?? image) });
    for (let i = 0; i < this.#firstFrames; i++) {
      if (i === 0 && this.#first) await this.#sequence.add(this.#first);
      else this.#sequence.repeat();
    }
    await this.#sequence.add(image);
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#sequence?.bytes ?? 0;
  }

  /** Fills the remaining frames by repeating those from `frame` on. */
  loopFrom(frame: number): void {
    this.#sequence?.loopFrom(frame);
  }

  /** Completes the file. Throws PageFailure if there was no image. `documentFailure`: reason why a document of the page could not be loaded. */
  async finish(documentFailure: string | undefined): Promise<{ kind: 'image' | 'sequence'; path: string; width: number; height: number }> {
    if (!this.#first) {
      throw new PageFailure(documentFailure === undefined ? 'the page draws nothing' : `the page navigates away before it draws anything: ${documentFailure}`);
    }
    if (this.#sequence) {
      await this.#sequence.finish();
      return { kind: 'sequence', path: `${this.#base}.fwsq`, ...sizeOf(this.#first) };
    }
    await writeFileAtomically(`${this.#base}.png`, this.#first);
    return { kind: 'image', path: `${this.#base}.png`, ...sizeOf(this.#first) };
  }

  /** Deletes an incomplete file. */
  async discard(): Promise<void> {
    await this.#sequence?.discard();
  }
}

/** Size of a PNG from its header. */
function sizeOf(image: Buffer): { width: number; height: number } {
  return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
}
