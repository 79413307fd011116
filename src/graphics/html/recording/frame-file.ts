import { writeWhole } from '../../canvas/sprite-file.js';
import { type SequenceFacts, SequenceWriter } from './sequence-file.js';

/** Keeps what a page shows: one picture as a PNG, several as a sequence file. */
export class PictureFile {
  readonly #base: string;
  readonly #facts: Omit<SequenceFacts, 'width' | 'height'>;
  #first: Buffer | undefined;
  #firstFrames = 0;
  #sequence: SequenceWriter | undefined;

  constructor(base: string, facts: Omit<SequenceFacts, 'width' | 'height'>) {
    this.#base = base;
    this.#facts = facts;
  }

  /** The picture of the next frame; undefined: as the one before. */
  async add(picture: Buffer | undefined): Promise<void> {
    if (this.#sequence) {
      if (picture) await this.#sequence.add(picture);
      else this.#sequence.repeat();
      return;
    }
    this.#first ??= picture;
    if (picture === undefined || picture === this.#first) {
      this.#firstFrames += 1;
      return;
    }
    this.#sequence = await SequenceWriter.create(`${this.#base}.fwsq`, { ...this.#facts, ...sizeOf(this.#first ?? picture) });
    for (let i = 0; i < this.#firstFrames; i++) {
      if (i === 0 && this.#first) await this.#sequence.add(this.#first);
      else this.#sequence.repeat();
    }
    await this.#sequence.add(picture);
  }

  /** On the disk, so far. */
  get bytes(): number {
    return this.#sequence?.bytes ?? 0;
  }

  /** The rest shows what was shown from a frame on, over and over. */
  loopFrom(frame: number): void {
    this.#sequence?.loopFrom(frame);
  }

  async finish(): Promise<{ kind: 'image' | 'sequence'; path: string; width: number; height: number }> {
    if (!this.#first) throw new Error('the page gave no picture');
    if (this.#sequence) {
      await this.#sequence.finish();
      return { kind: 'sequence', path: `${this.#base}.fwsq`, ...sizeOf(this.#first) };
    }
    await writeWhole(`${this.#base}.png`, this.#first);
    return { kind: 'image', path: `${this.#base}.png`, ...sizeOf(this.#first) };
  }

  async abandon(): Promise<void> {
    await this.#sequence?.abandon();
  }
}

/** By a PNG's header. */
function sizeOf(picture: Buffer): { width: number; height: number } {
  return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
}
