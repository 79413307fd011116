import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../../../src/engine/index.js';
import { createRecogniser, type Recogniser, RecognitionError } from '../../../../src/providers/transcription/index.js';
import { parseTranscription } from '../../../../src/providers/transcription/transcription.js';
import { ffmpeg, ffprobe } from '../../../support/ffmpeg.js';
import { type LocalServer, startServer } from '../../outbound/local-server.js';

const folder = mkdtempSync(join(tmpdir(), 'recogniser-'));
const engine = createEngine();
let server: LocalServer;
let asked: { url: string; authorization: string; form: FormData }[] = [];
let answer: { status: number; body: string };

beforeAll(async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=2:r=48000', join(folder, 'sound.wav'));
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=2:r=16000', '-c:a', 'libopus', '-b:a', '16k', join(folder, 'small.ogg'));
  server = await startServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      // Another program's reading of the form.
      const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData();
      asked.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', form });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const signal = new AbortController().signal;
const recogniser = (): Recogniser =>
  createRecogniser({ service: { key: 'sk-1', url: `${server.origin}/v1`, model: 'whisper-1', host: server.host } }, { allowPrivateHosts: [] }, engine);

/** A file without extension, as media are stored in a job folder. */
function inFolder(name: string): { path: string; folder: string } {
  const path = join(folder, 'abc');
  writeFileSync(path, readFileSync(join(folder, name)));
  return { path, folder };
}

describe('a service with /audio/transcriptions', () => {
  test('is sent the sound, the language and the keywords, and gives words with their times', async () => {
    asked = [];
    answer = {
      status: 200,
      body: JSON.stringify({
        text: 'Hello, big World. Bye!',
        words: [
          { word: 'Hello', start: 0.1, end: 0.4 },
          { word: 'big', start: 0.5, end: 0.6 },
          { word: 'World', start: 0.6, end: 1 },
          { word: 'Bye', start: 1.5, end: 2 },
        ],
      }),
    };
    const words = await recogniser().recognise({ ...inFolder('sound.wav'), language: 'pt-BR', keywords: ['Framewright', 'Skia'] }, signal);
    expect(words.map(({ text, start }) => [text, start])).toEqual([
      ['Hello,', 0.1],
      ['big', 0.5],
      ['World.', 0.6],
      ['Bye!', 1.5],
    ]);
    const [{ url, authorization, form }] = asked as [(typeof asked)[0]];
    expect([url, authorization]).toEqual(['/v1/audio/transcriptions', 'Bearer sk-1']);
    expect([form.get('model'), form.get('language'), form.get('prompt'), form.getAll('timestamp_granularities[]')]).toEqual([
      'whisper-1',
      'pt',
      'Framewright, Skia',
      ['word', 'segment'],
    ]);
    const file = form.get('file') as File;
    expect(file.name).toBe('sound.wav');
    const path = join(folder, 'sent.wav');
    writeFileSync(path, Buffer.from(await file.arrayBuffer()));
    expect(ffprobe(path)).toMatchObject({ streams: [{ codec_name: 'pcm_s16le', sample_rate: '16000', channels: 1 }] });
    expect(Number(ffprobe(path).format.duration)).toBeCloseTo(2, 2);
  });

  test('is sent the file itself where that is smaller', async () => {
    asked = [];
    answer = { status: 200, body: '{"words":[]}' };
    expect(await recogniser().recognise({ ...inFolder('small.ogg'), keywords: [] }, signal)).toEqual([]);
    const file = asked[0]?.form.get('file') as File;
    expect(file.name).toBe('abc.ogg');
    expect(Buffer.from(await file.arrayBuffer()).equals(readFileSync(join(folder, 'small.ogg')))).toBe(true);
  });

  test.each([
    ['a refusal', 401, '{}', /answered 401$/],
    ['something else', 200, '<html>', /without times of words$/],
    ['no times', 200, '{"text":"Hello"}', /without times of words$/],
  ])('that answers with %s is a failure', async (_, status, body, message) => {
    answer = { status, body };
    const failure = recogniser().recognise({ ...inFolder('sound.wav'), keywords: [] }, signal);
    await expect(failure).rejects.toThrow(RecognitionError);
    await expect(failure).rejects.toThrow(message);
  });

  test('that is not there is a failure', async () => {
    const away = createRecogniser(
      { service: { key: undefined, url: 'http://127.0.0.1:9/v1', model: 'm', host: '127.0.0.1:9' } },
      { allowPrivateHosts: [] },
      engine,
    );
    await expect(away.recognise({ ...inFolder('sound.wav'), keywords: [] }, signal)).rejects.toThrow(RecognitionError);
  });

  test('is not sent more than it takes', async () => {
    await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono:d=800', join(folder, 'long.wav'));
    await expect(recogniser().recognise({ path: join(folder, 'long.wav'), folder, keywords: [] }, signal)).rejects.toThrow('more than 25 MB');
  });

  test('is not asked about what is no sound', async () => {
    writeFileSync(join(folder, 'text'), 'this is no sound');
    await expect(recogniser().recognise({ path: join(folder, 'text'), folder, keywords: [] }, signal)).rejects.toThrow(RecognitionError);
  });
});

describe('an answer', () => {
  test('with sentences alone has its words share their time', () => {
    expect(
      parseTranscription(JSON.stringify({ segments: [{ text: ' Hi there ', start: 1, end: 2 }] }))?.map(({ text, start, end }) => [text, start, end]),
    ).toEqual([
      ['Hi', 1, 1 + 3 / 9],
      ['there', 1 + 3 / 9, 2],
    ]);
  });

  test.each(['null', '[]', '{"words":5}', '{"words":[null,{"word":5},{"word":"a","start":"x","end":1}]}', '{"words":[{"word":"a","start":5,"end":1}]}'])(
    'of any form is read: %s',
    (text) => {
      expect(parseTranscription(text) ?? []).toEqual([]);
    },
  );
});
