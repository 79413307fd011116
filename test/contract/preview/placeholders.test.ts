import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPng } from '../../support/golden-image.js';
import { callPreview } from '../../support/previews.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { type Service, startService } from '../../support/service-in-process.js';

/** All providers; a preview must not call any. */
let provider: Receiver;
let service: Service;
let key: string;
beforeAll(async () => {
  provider = await startReceiver();
  const base = provider.url.replace(/\/hook$/, '');
  service = await startService({
    workers: 0,
    environment: {
      FRAMEWRIGHT_VOICE_OPENAI_ENDPOINT: base,
      FRAMEWRIGHT_VOICE_OPENAI_KEY: 'secret',
      FRAMEWRIGHT_SPEECH_TO_TEXT_OPENAI_ENDPOINT: base,
      FRAMEWRIGHT_IMAGE_API_URL: base,
      FRAMEWRIGHT_IMAGE_API_PRICE: '4',
      FRAMEWRIGHT_VIDEO_API_URL: base,
      FRAMEWRIGHT_VIDEO_API_MODEL: 'films',
    },
  });
  ({ key } = await service.createKey());
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

const voice = { type: 'voice', model: 'openai', text: 'Nobody is paid for saying this, however long it takes.' };
const movie = {
  width: 640,
  height: 360,
  fps: 10,
  elements: [{ type: 'subtitles', settings: { 'font-size': 40 } }],
  scenes: [
    { elements: [voice, { type: 'image', prompt: 'A lighthouse in a storm', 'aspect-ratio': 'horizontal', model: 'gpt-image-1' }] },
    { duration: 2, elements: [{ type: 'video', prompt: 'Waves' }] },
    {
      duration: 2,
      background: '#101820',
      elements: [
        {
          type: 'html',
          html: '<style>@keyframes m{to{left:500px}}b{position:absolute;left:0;background:#f40;width:60px;height:60px;animation:m 2s linear}</style><b></b>',
          width: 640,
          height: 100,
          x: 0,
          y: 0,
        },
        { type: 'component', component: 'basic/001', settings: { headline: { text: 'Component' } }, duration: 2 },
        { type: 'voice', model: 'espeak-ng', text: 'Spoken here' },
        { type: 'audiogram', x: 0, y: 260, width: 640, height: 100, color: '#00ff88' },
      ],
    },
  ],
};

test('draws every kind of element without paid services and reports each placeholder', async () => {
  const opened = await callPreview(service.app.address, '', key, { movie });
  expect(opened.status, String(opened.bytes)).toBe(200);
  expect(opened.body).toMatchObject({ provider_credits: 4 });
  expect(opened.body.estimated_credits).toBe(Math.ceil(Number(opened.body.duration)) + 4);
  const warnings = opened.body.warnings ?? [];
  const reported = (path: string) => warnings.filter((one) => one.path === path).map(({ message }) => message);
  expect(reported('scenes.0.elements.0')).toEqual([expect.stringContaining('spoken when the movie is rendered')]);
  expect(reported('scenes.0.elements.1')).toEqual([expect.stringContaining('placeholder')]);
  expect(reported('scenes.1.elements.0')).toEqual([expect.stringContaining('placeholder')]);
  const [first] = opened.body.scenes as Array<{ duration: number }>;
  // The estimate from its text.
  expect(first?.duration).toBeGreaterThan(2);
  expect(first?.duration).toBeLessThan(6);
  const draw = async (time: number) => {
    const answer = await callPreview(service.app.address, '/frame', key, { movie, time });
    expect(answer.status, String(answer.bytes)).toBe(200);
    return readPng(answer.bytes);
  };
  const start = (opened.body.scenes as Array<{ start: number }>).map((scene) => scene.start);
  const [placeholder, video, early, late] = [
    await draw(0),
    await draw((start[1] ?? 0) + 1),
    await draw((start[2] ?? 0) + 0.2),
    await draw((start[2] ?? 0) + 1.8),
  ];
  for (const image of [placeholder, video]) expect(near([...image.pixels.subarray(0, 3)], [0x39, 0x42, 0x4e])).toBe(true);
  const orange = (image: typeof early, x: number) => near([...image.pixels.subarray((30 * 640 + x) * 4, (30 * 640 + x) * 4 + 3)], [0xff, 0x44, 0x00], 24);
  expect([orange(early, 70), orange(early, 480), orange(late, 70), orange(late, 480)]).toEqual([true, false, false, true]);
  expect(provider.received).toEqual([]);
}, 60_000);

function near(colour: number[], wanted: number[], max = 10): boolean {
  return wanted.every((value, index) => Math.abs(value - (colour[index] ?? 0)) <= max);
}
