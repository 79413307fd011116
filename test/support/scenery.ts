import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clip, Source, Timeline } from '../../src/timeline/index.js';

/** Pictures over time as schema/timeline.schema.json names them: each shown for one frame. */
export function packSequence(pictures: readonly Buffer[], width: number, height: number, fps: number): Buffer {
  const head = Buffer.alloc(32 + pictures.length * 20);
  head.write('FWSQ', 0, 'latin1');
  for (const [i, value] of [1, width, height, fps, 1, pictures.length, pictures.length].entries()) head.writeUInt32LE(value, 4 + i * 4);
  let offset = head.length;
  for (const [i, picture] of pictures.entries()) {
    head.writeUInt32LE(i, 32 + i * 4);
    const entry = 32 + pictures.length * 4 + i * 16;
    head.writeBigUInt64LE(BigInt(offset), entry);
    head.writeBigUInt64LE(BigInt(picture.length), entry + 8);
    offset += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}

/** A timeline of one section; sources are written into `folder` as they are added. */
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
