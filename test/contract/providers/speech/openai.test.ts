import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, type Responder, startReceiver } from '../../../support/receiver.js';
import { startSpeaking } from './synthesize.js';
import { tonePcm } from './tones.js';

const RATE = 24_000;
/** Two words of 0.6 s with a pause between them. */
const pcm = tonePcm(RATE, [
  { seconds: 0.6, hertz: 220 },
  { seconds: 0.4, hertz: 0 },
  { seconds: 0.6, hertz: 330 },
]);

/** As the service streams it: with lengths that it does not know yet. */
function streamedWav(): Buffer {
  const header = Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0LIST\x04\0\0\0INFOdata\xff\xff\xff\xff', 'latin1');
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  return Buffer.concat([header, pcm]);
}

let server: Receiver;
let type = 'audio/wav';
const behave: Responder = (_request, response) => {
  if (type === 'audio/wav') response.writeHead(200, { 'content-type': type }).end(streamedWav());
  else if (type === 'audio/mpeg') response.writeHead(200, { 'content-type': type }).end('ID3');
  else
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: 'Invalid voice', type: 'invalid_request_error' } }));
};
beforeAll(async () => {
  server = await startReceiver(behave);
});
afterAll(() => server.close());

const speaking = () =>
  startSpeaking({
    FRAMEWRIGHT_VOICE_OPENAI_ENDPOINT: `${new URL(server.url).origin}/v1/`,
    FRAMEWRIGHT_VOICE_OPENAI_KEY: 'sk-open',
    FRAMEWRIGHT_VOICE_OPENAI_MODEL: 'tts-1',
  });

it('requests a WAV file and estimates word times from its pauses', async () => {
  type = 'audio/wav';
  const speech = await speaking().speak({
    text: 'Hello, <b>friends',
    model: 'openai',
    voice: 'nova',
    speed: 1.5,
    modelSettings: { instructions: 'Speak softly.' },
  });
  const asked = server.received.at(-1);
  expect(asked).toMatchObject({ method: 'POST', path: '/v1/audio/speech' });
  expect(asked?.headers.authorization).toBe('Bearer sk-open');
  expect(JSON.parse(asked?.body ?? '')).toEqual({
    model: 'tts-1',
    input: 'Hello, <b>friends',
    voice: 'nova',
    response_format: 'wav',
    speed: 1.5,
    instructions: 'Speak softly.',
  });
  expect(speech).toMatchObject({ engine: 'openai', isEstimated: true });
  const [hello, friends] = speech.words;
  expect(hello?.start).toBeCloseTo(0, 1);
  expect(hello?.end).toBeCloseTo(0.6, 1);
  expect(friends?.start).toBeCloseTo(1, 1);
  expect(friends?.end).toBeCloseTo(1.6, 1);
});

it('reports an unexpected file type and errors of the service', async () => {
  type = 'audio/mpeg';
  await expect(speaking().speak({ text: 'Hello', model: 'openai' })).rejects.toThrow('was asked for a WAV file and sent something else (audio/mpeg)');
  type = 'error';
  await expect(speaking().speak({ text: 'Hello', model: 'openai' })).rejects.toThrow('the voice service openai answered 400: Invalid voice');
});

it('splits a long text between sentences into requests of at most 4096 characters', async () => {
  type = 'audio/wav';
  const before = server.received.length;
  const speech = await speaking().speak({ text: 'This is one of very many sentences. '.repeat(150), model: 'openai' });
  const inputs = server.received.slice(before).map(({ body }) => (JSON.parse(body) as { input: string }).input);
  expect(inputs).toHaveLength(2);
  expect(Math.max(...inputs.map((input) => input.length))).toBeLessThanOrEqual(4096);
  expect(speech.words).toHaveLength(7 * 150);
});
