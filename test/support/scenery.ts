import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clip, Source, Timeline } from '../../src/timeline/index.js';

/** Packs PNG images into a sequence file (schema/timeline.schema.json), one frame each. */
export function packSequence(images: readonly Buffer[], width: number, height: number, fps: number): Buffer {
  const head = Buffer.alloc(32 + images.length * 20);
  head.write('FWSQ', 0, 'latin1');
  for (const [i, value] of [1, width, height, fps, 1, images.length, images.length].entries()) head.writeUInt32LE(value, 4 + i * 4);
  let offset = head.length;
  for (const [i, image] of images.entries()) {
    head.writeUInt32LE(i, 32 + i * 4);
    const entry = 32 + images.length * 4 + i * 16;
    head.writeBigUInt64LE(BigInt(offset), entry);
    head.writeBigUInt64LE(BigInt(image.length), entry + 8);
    offset += image.length;
  }
  return Buffer.concat([head, ...images]);
}

/** Builds a timeline of one section; `add` writes each source into `folder`. */
export class TestTimeline {
  readonly #folder: string;
  readonly #sources: Source[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(kind: Source['kind'], bytes: Buffer): number {
    const path = join(this.#folder, `${this.#sources.length}`);
    writeFileSync(path, bytes);
    this.#sources.push({ kind, path, label: `scenes.0.elements.${this.#sources.length}` });
    return this.#sources.length - 1;
  }

  timeline(width: number, height: number, layers: { under?: Clip[]; clips: Clip[]; over?: Clip[] }, background = '#28486aff'): Timeline {
    const frames = 30;
    return {
      version: 1,
      canvas: { width, height, fps: { num: 30, den: 1 }, frames },
      sources: this.#sources,
      under: layers.under ?? [],
      sections: [{ label: 'scene_1', start: 0, frames, background, clips: layers.clips }],
      over: layers.over ?? [],
      audio: [],
      encode: { encoder: 'libx264', preset: 'veryfast', crf: 20, keyframeSeconds: 5, audioBitrate: 192000 },
    };
  }
}
