import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeSamples, rms } from '../../../support/ffmpeg.js';
import { type Receiver, type Responder, startReceiver } from '../../../support/receiver.js';
import { startSpeaking } from './synthesize.js';
import { tonePcm } from './tones.js';

/** As https://elevenlabs.io/docs/api-reference/text-to-speech/convert-with-timestamps describes it. */
const text = 'So, we meet 25 times.';
const RATE = 24_000;
const voices = [
  { voice_id: 'EXAVITQu4vr4xnSDxMaL', name: 'Sarah' },
  { voice_id: 'nPczCjzI2devNBz1zQrb', name: 'Brian - Deep, Resonant and Comforting' },
];

let server: Receiver;
let failures: number[] = [];
const behave: Responder = (request, response) => {
  const fail = (status: number, detail: unknown) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }));
  if (request.headers['xi-api-key'] !== 'eleven-key') return fail(401, { status: 'invalid_api_key', message: 'Invalid API key' });
  const failing = failures.shift();
  if (failing !== undefined) return fail(failing, { status: 'system_busy', message: 'The system is busy' });
  if (request.url === '/v1/voices') return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ voices }));
  // A tenth of a second for each character; the spaces are silent.
  const characters = [...text];
  const pcm = tonePcm(
    RATE,
    characters.map((character) => ({ seconds: 0.1, hertz: character === ' ' ? 0 : 300 })),
  );
  const alignment = {
    characters,
    character_start_times_seconds: characters.map((_, i) => i / 10),
    character_end_times_seconds: characters.map((_, i) => (i + 1) / 10),
  };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ audio_base64: pcm.toString('base64'), alignment, normalized_alignment: alignment }));
};
beforeAll(async () => {
  server = await startReceiver(behave);
});
afterAll(() => server.close());

const speaking = (key = 'eleven-key') =>
  startSpeaking({ FRAMEWRIGHT_VOICE_ELEVENLABS_KEY: key, FRAMEWRIGHT_VOICE_ELEVENLABS_ENDPOINT: new URL(server.url).origin });

it('requests the voice by name with the settings of the script and derives word times from letter times', async () => {
  const speech = await speaking().speak({
    text,
    voice: 'brian',
    model: 'elevenlabs',
    modelSettings: { language_code: 'en', voice_settings: { speed: 0.9, stability: 0.4 } },
  });
  const [list, asked] = server.received.slice(-2);
  expect(list).toMatchObject({ method: 'GET', path: '/v1/voices' });
  expect(asked).toMatchObject({ method: 'POST', path: '/v1/text-to-speech/nPczCjzI2devNBz1zQrb/with-timestamps?output_format=pcm_24000' });
  expect(JSON.parse(asked?.body ?? '')).toEqual({
    text,
    model_id: 'eleven_multilingual_v2',
    language_code: 'en',
    voice_settings: { speed: 0.9, stability: 0.4 },
  });
  expect(speech).toMatchObject({ engine: 'elevenlabs', isEstimated: false });
  expect(speech.words.map((word) => [word.text, Math.round(word.start * 10), Math.round(word.end * 10)])).toEqual([
    ['So,', 0, 2],
    ['we', 4, 6],
    ['meet', 7, 11],
    ['25', 12, 14],
    ['times.', 15, 20],
  ]);
  const samples = await decodeSamples(speech.path);
  expect(rms(samples, 0.72, 1.08)).toBeGreaterThan(0.05);
});

it.each([
  ['elevenlabs-flash-v2-5', 'eleven_flash_v2_5'],
  ['elevenlabs-v3', 'eleven_v3'],
])('%s is %s; an id is asked for as it is', async (model, id) => {
  await speaking().speak({ text, voice: 'EXAVITQu4vr4xnSDxMaL', model, speed: 2 });
  const asked = server.received.at(-1);
  expect(asked?.path).toContain('/EXAVITQu4vr4xnSDxMaL/');
  expect(JSON.parse(asked?.body ?? '')).toMatchObject({ model_id: id, voice_settings: { speed: 1.2 } });
});

it('retries when the service is busy', async () => {
  failures = [429, 503];
  await expect(speaking().speak({ text, voice: 'EXAVITQu4vr4xnSDxMaL', model: 'elevenlabs' })).resolves.toMatchObject({ engine: 'elevenlabs' });
});

it('reports the reason for a refused key or an unknown voice', async () => {
  await expect(speaking('other').speak({ text, model: 'elevenlabs' })).rejects.toThrow(
    "the voice service elevenlabs does not accept this host's key (401): Invalid API key",
  );
  await expect(speaking().speak({ text, voice: 'Nobody', model: 'elevenlabs' })).rejects.toThrow('has no voice "Nobody"');
});
