import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPng } from '../../support/golden-picture.js';
import { type Service, startService } from '../../support/service-in-process.js';

let service: Service;
let key: string;
beforeAll(async () => {
  service = await startService({ workers: 0 });
  ({ key } = await service.createKey());
});
afterAll(() => service.stop());

const text = (words: string) => ({ type: 'text', text: words, position: 'center', font_size: 60, color: '#ffffff' });
const movieOf = (words: string) => ({
  width: 640,
  height: 360,
  fps: 10,
  scenes: [
    { duration: 2, background: '#203040', elements: [text(words)] },
    { duration: 3, background: '#884422', transition: { style: 'fade', duration: 1 } },
  ],
  variables: { name: 'film', '@name': 'for forms' },
});

test('tells what a script comes to', async () => {
  const answer = await service.call('POST', '/api/preview', { key, body: { movie: movieOf('Hello {{name}}') } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toEqual({
    width: 640,
    height: 360,
    fps: 10,
    duration: 5,
    frames: 50,
    estimated_credits: 5,
    scenes: [
      { path: 'scenes.0', start: 0, duration: 2, elements: [{ path: 'scenes.0.elements.0', type: 'text', label: 'Hello film', start: 0, duration: 2 }] },
      { path: 'scenes.1', start: 2, duration: 3, transition: { style: 'fade', duration: 1 }, elements: [] },
    ],
    elements: [],
    variables: { name: 'film' },
    warnings: [],
  });
});

test('draws the frame of a time, and another one once the text has changed', async () => {
  const draw = async (words: string, time: number) => {
    const response = await fetch(`${service.app.address}/api/preview/frame`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ movie: movieOf(words), time, width: 320 }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('cache-control')).toBe('no-store');
    return { time: response.headers.get('x-preview-time'), bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const [first, second] = [await draw('One', 1.25), await draw('Another', 1.25)];
  expect(first.time).toBe('1.2');
  expect(first.bytes.equals(second.bytes)).toBe(false);
  const picture = await readPng(first.bytes);
  expect([picture.width, picture.height]).toEqual([320, 180]);
  const corner = [...picture.pixels.subarray(0, 3)];
  for (const [index, value] of [0x20, 0x30, 0x40].entries()) expect(Math.abs((corner[index] ?? 0) - value)).toBeLessThan(6);
});
