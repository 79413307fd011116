import sdk from 'microsoft-cognitiveservices-speech-sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOutbound } from '../../../../src/outbound/index.js';
import { decodeSamples, rms } from '../../../support/ffmpeg.js';
import { type AzureServer, startAzureServer } from './azure-server.js';
import { startSpeaking } from './synthesize.js';

const KEY = 'azure-key-123';
let server: AzureServer;
beforeAll(async () => {
  server = await startAzureServer(KEY);
});
afterAll(() => server.close());

const environment = (url = server.url, key = KEY) => ({ FRAMEWRIGHT_VOICE_AZURE_KEY: key, FRAMEWRIGHT_VOICE_AZURE_ENDPOINT: url });

it('the fake server works with the official client', async () => {
  // From Node 22 on there is a global WebSocket, which the package would use in place of its own.
  vi.stubGlobal('WebSocket', undefined);
  const config = sdk.SpeechConfig.fromHost(new URL(server.url.replace('http', 'ws')), KEY);
  config.speechSynthesisOutputFormat = sdk.SpeechSynthesisOutputFormat.Raw48Khz16BitMonoPcm;
  const client = new sdk.SpeechSynthesizer(config, null as unknown as sdk.AudioConfig);
  const words: Array<{ text: string; seconds: number }> = [];
  client.wordBoundary = (_sender, { text, audioOffset }) => words.push({ text, seconds: audioOffset / 10_000_000 });
  const result = await new Promise<sdk.SpeechSynthesisResult>((resolve, reject) => client.speakTextAsync('Hello big world', resolve, reject));
  client.close();
  vi.unstubAllGlobals();
  expect(result.errorDetails).toBeUndefined();
  expect(words).toEqual([
    { text: 'Hello', seconds: 0.2 },
    { text: 'big', seconds: 0.7 },
    { text: 'world', seconds: 1.2 },
  ]);
  expect(result.audioData.byteLength).toBe((3 * 0.5 + 1) * 48_000 * 2);
});

describe('azure', () => {
  it('returns sound and word times, with outer silence trimmed', async () => {
    const { speak } = startSpeaking(environment());
    const speech = await speak({ text: 'Hello, big world!', voice: 'en-US-EmmaMultilingualNeural', model: 'azure' });
    expect(speech).toMatchObject({ engine: 'azure', isEstimated: false, warnings: [] });
    expect(speech.words.map(({ text }) => text)).toEqual(['Hello,', 'big', 'world!']);
    const samples = await decodeSamples(speech.path);
    for (const { start, end } of speech.words) {
      expect(end - start).toBeCloseTo(0.3, 1);
      expect(rms(samples, start + 0.02, end - 0.02)).toBeGreaterThan(0.05);
      expect(rms(samples, end + 0.02, end + 0.15)).toBeLessThan(0.001);
    }
    expect(speech.words[0]?.start).toBeLessThan(0.05);
    expect(speech.durationSeconds).toBeLessThan(1.55);
  });

  it('sends SSML with escaped text and real marks', async () => {
    const { speak } = startSpeaking(environment());
    await speak({ text: 'Tom & <break time="200ms"/> <Jerry> </voice><voice name="x">', voice: "de-DE-Katja'Neural", model: 'azure', speed: 1.25 });
    const { ssml, headers, path, context } = server.asked.at(-1) ?? { ssml: '', headers: {}, path: '', context: {} };
    expect(path).toBe('/tts/cognitiveservices/websocket/v1');
    expect(headers['ocp-apim-subscription-key']).toBe(KEY);
    expect(context).toMatchObject({ synthesis: { audio: { metadataOptions: { wordBoundaryEnabled: true } } } });
    expect(ssml).toContain('Tom &amp; <break time="200ms"/> &lt;Jerry&gt;');
    expect(ssml).toContain("<prosody rate='+25%'>");
    expect(ssml).toContain("xml:lang='de-DE'");
  });

  it('passes a whole SSML document through unchanged', async () => {
    const { speak } = startSpeaking(environment());
    const document =
      '<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US"><voice name="en-US-JennyNeural">Hi there</voice></speak>';
    const speech = await speak({ text: document, model: 'azure' });
    expect(server.asked.at(-1)?.ssml).toBe(document);
    expect(speech.words.map(({ text }) => text)).toEqual(['Hi', 'there']);
  });

  it('reports a refused key without showing it', async () => {
    const { speak } = startSpeaking(environment(server.url, 'wrong-key-987'));
    const error = (await speak({ text: 'Hello', model: 'azure' }).catch((reason: unknown) => reason)) as Error;
    expect(error).toMatchObject({ code: 'RENDER_FAILED' });
    expect(error.message).toContain('the voice service azure did not take the connection');
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain('wrong-key-987');
  });

  it('reports the reason if the service cancels', async () => {
    const strict = await startAzureServer(KEY, { breaksOff: true });
    const { speak } = startSpeaking(environment(strict.url));
    await expect(speak({ text: 'Hello', model: 'azure', voice: 'nobody' })).rejects.toThrow('closed the connection (1007 Unsupported voice nobody)');
    await strict.close();
  });
});

it('only the operator can use a private endpoint', async () => {
  const outbound = createOutbound({ allowPrivateHosts: [] });
  const options = { headers: {}, idleMs: 2000, maxBytes: 1000, signal: new AbortController().signal };
  await expect(outbound.withWebSocket(server.url.replace('http', 'ws'), options, async () => 'connected')).rejects.toThrow();
  await outbound.close();
});
