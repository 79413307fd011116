import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../src/studio/api/event-stream.js';
import { readFrameRecords } from '../../../src/studio/api/frame-records.js';

/** A response whose body arrives in chunks of one size. */
function inPieces(bytes: Uint8Array, size: number): Response {
  let at = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
    }),
  );
}

function record(head: object, image: Uint8Array = new Uint8Array()): Buffer {
  const text = Buffer.from(JSON.stringify({ bytes: image.length, ...head }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, image]);
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('images', () => {
  const images = [new Uint8Array(1000).fill(7), new Uint8Array(0), new Uint8Array(3).fill(9)];
  const stream = Buffer.concat(images.map((image, index) => record({ time: index / 2, type: 'image/jpeg' }, image)));

  it.each([1, 3, 64, 100_000])('are read from a stream in chunks of %i bytes', async (size) => {
    const found = await all(readFrameRecords(inPieces(stream, size)));
    expect(found.map(({ time }) => time)).toEqual([0, 0.5, 1]);
    for (const [index, { image }] of found.entries()) {
      expect(image.type).toBe('image/jpeg');
      expect(new Uint8Array(await image.arrayBuffer())).toEqual(images[index]);
    }
  });

  it('end where the stream breaks off, or with its error', async () => {
    expect(await all(readFrameRecords(inPieces(stream.subarray(0, 900), 64)))).toEqual([]);
    const failing = Buffer.concat([stream, record({ error: { code: 'RENDER_FAILED', message: 'gone', path: 'scenes.0' } })]);
    await expect(all(readFrameRecords(inPieces(failing, 64)))).rejects.toMatchObject({ code: 'RENDER_FAILED', message: 'gone', path: 'scenes.0' });
  });
});

it.each([1, 7, 1000])('events are read from pieces of %i bytes', async (size) => {
  const text =
    ': connected\nretry: 2000\n\nid: 1\nevent: progress\ndata: {"progress":0.5,"stage":"ä"}\n\n: heartbeat\n\nevent: complete\ndata: {}\n\nevent: cut';
  expect(await all(readEvents(inPieces(Buffer.from(text), size)))).toEqual([
    { name: 'progress', fields: { progress: 0.5, stage: 'ä' } },
    { name: 'complete', fields: {} },
  ]);
});
