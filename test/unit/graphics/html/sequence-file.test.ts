import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SequenceWriter } from '../../../../src/graphics/html/recording/sequence-file.js';
import { readSequence } from '../../../support/sequence-file.js';

const header = { width: 640, height: 360, fps: { num: 30000, den: 1001 }, frames: 6 };
const image = (letter: string, length: number): Buffer => Buffer.alloc(length, letter);

describe('a sequence file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'framewright-sequence-'));
    path = join(folder, 'page.fwsq');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('writes the image index of each frame and stores each image once', async () => {
    const writer = await SequenceWriter.create(path, header);
    await writer.add(image('a', 700));
    await writer.add(image('b', 3));
    writer.repeat();
    await writer.add(image('a', 700));
    await writer.add(image('c', 90_000));
    await writer.add(image('b', 3));
    await writer.finish();
    const read = readSequence(path);
    expect(read).toMatchObject({ width: 640, height: 360, fps: { num: 30000, den: 1001 }, shown: [0, 1, 1, 0, 2, 1] });
    expect(read.images.map((bytes) => bytes.toString())).toEqual([image('a', 700), image('b', 3), image('c', 90_000)].map(String));
  });

  it('shows the last image until the end', async () => {
    const writer = await SequenceWriter.create(path, header);
    await writer.add(image('a', 5));
    await writer.add(image('b', 5));
    await writer.finish();
    expect(readSequence(path).shown).toEqual([0, 1, 1, 1, 1, 1]);
  });

  it('is not there before it is whole, and leaves nothing when it is given up', async () => {
    const writer = await SequenceWriter.create(path, header);
    await writer.add(image('a', 5));
    await expect(stat(path)).rejects.toThrow('ENOENT');
    await writer.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes no more frames than it has, and needs one', async () => {
    const writer = await SequenceWriter.create(path, { ...header, frames: 1 });
    await expect(writer.finish()).rejects.toThrow('needs at least one image');
    await writer.add(image('a', 5));
    await expect(writer.add(image('b', 5))).rejects.toThrow('all its frames');
    await writer.finish();
    await writer.discard();
    expect(readSequence(path).shown).toEqual([0]);
  });
});
