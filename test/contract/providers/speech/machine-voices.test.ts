import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeSamples, rms } from '../../../support/ffmpeg.js';
import { startSpeaking } from './synthesize.js';

const { speak, folder, speaker } = startSpeaking();

/** Where sound begins again after at least 80 ms without any, in seconds: what an ear would call the start of a word. */
function onsets(samples: Float32Array): number[] {
  const step = 240;
  const levels = Array.from({ length: Math.floor(samples.length / step) }, (_, i) => rms(samples, (i * step) / 48_000, ((i + 1) * step) / 48_000));
  const floor = Math.max(...levels) * 0.02;
  const found: number[] = [];
  let quiet = 100;
  for (const [i, level] of levels.entries()) {
    if (level < floor) quiet += 1;
    else {
      if (quiet * step >= 0.08 * 48_000) found.push((i * step) / 48_000);
      quiet = 0;
    }
  }
  return found;
}

describe.each(['festival', 'flite', 'espeak-ng'])('%s', (model) => {
  it('returns word times within 80 ms of the sound', async () => {
    const speech = await speak({ text: 'Mary saw 25 red ones. However, nobody ran away; still, old men waited.', model, voice: 'en-US-JennyNeural' });
    expect(speech.engine).toContain(model);
    expect(speech.isEstimated).toBe(false);
    expect(speech.words.map(({ text }) => text).join(' ')).toBe('Mary saw 25 red ones. However, nobody ran away; still, old men waited.');
    const heard = onsets(await decodeSamples(speech.path));
    expect(heard.length).toBeGreaterThanOrEqual(3);
    for (const onset of heard) expect(Math.min(...speech.words.map(({ start }) => Math.abs(start - onset)))).toBeLessThan(0.08);
    // Each engine takes a breath before these.
    for (const text of ['Mary', 'However,', 'old']) {
      const start = speech.words.find((word) => word.text === text)?.start ?? Number.NaN;
      expect(Math.min(...heard.map((onset) => Math.abs(onset - start)))).toBeLessThan(0.08);
    }
    for (const [i, word] of speech.words.entries()) {
      expect(word.end).toBeGreaterThan(word.start);
      expect(word.start).toBeGreaterThanOrEqual(speech.words[i - 1]?.end ?? 0);
      expect(word.end).toBeLessThanOrEqual(speech.durationSeconds);
    }
  });

  it('has the common loudness, no clipping and no outer silence', async () => {
    const { path, durationSeconds } = await speak({ text: 'This is a sentence that shows how loud a voice is. And here comes another one!', model });
    // Both channels, like in a video, measured by ffmpeg's loudness meter.
    const report = execFileSync('sh', ['-c', 'ffmpeg -nostats -i "$0" -af "pan=stereo|c0=c0|c1=c0,ebur128=peak=true" -f null - 2>&1', path], {
      encoding: 'utf8',
    });
    const summary = report.slice(report.lastIndexOf('Summary:'));
    expect(Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1])).toBeCloseTo(-18, 0);
    expect(Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1])).toBeLessThan(-1);
    const samples = await decodeSamples(path);
    expect(onsets(samples)[0]).toBeLessThan(0.1);
    expect(rms(samples, durationSeconds - 0.25, durationSeconds)).toBeGreaterThan(0.001);
  });

  it('speaks at double speed', async () => {
    const [slow, fast] = await Promise.all([1, 2].map((speed) => speak({ text: 'A rather long sentence about nothing in particular.', model, speed })));
    expect((fast?.durationSeconds ?? 0) / (slow?.durationSeconds ?? 1)).toBeGreaterThan(0.4);
    expect((fast?.durationSeconds ?? 0) / (slow?.durationSeconds ?? 1)).toBeLessThan(0.65);
  });

  it('reads text literally, even if it looks like markup or options', async () => {
    const text = '-h --version $(touch pwned) `id`; "quoted" (quit) \\n (system "touch pwned") <x> \u0007\u0000\u202e | & end';
    const speech = await speak({ text, model });
    expect(speech.durationSeconds).toBeGreaterThan(2);
    expect(speech.words.at(-1)?.text).toContain('end');
    expect(readdirSync(folder).filter((name) => !name.endsWith('.wav'))).toEqual([]);
  });
});

it('pauses at marks and omits them from subtitles', async () => {
  const speech = await speak({ text: 'One.<break time="1500ms"/>Two &amp; <sub alias="three">3</sub>.', model: 'offline', language: 'en' });
  expect(speech.words.map(({ text }) => text)).toEqual(['One.', 'Two &', 'three.']);
  const [one, two] = speech.words;
  expect((two?.start ?? 0) - (one?.end ?? 0)).toBeGreaterThan(1.45);
  expect((two?.start ?? 0) - (one?.end ?? 0)).toBeLessThan(1.75);
  const samples = await decodeSamples(speech.path);
  expect(rms(samples, (one?.end ?? 0) + 0.1, (two?.start ?? 0) - 0.1)).toBeLessThan(1e-4);
});

it.each([
  ['Guten Morgen, liebe Leute. Wie geht es euch heute?', undefined, 'espeak-ng de+f2'],
  ['Guten Morgen', 'de-DE-ConradNeural', 'espeak-ng de'],
  ['Bonjour à tous, bienvenue dans notre maison.', 'en-US-EmmaMultilingualNeural', 'espeak-ng fr+f2'],
  ['Hello everybody, welcome to the show.', 'en-US-GuyNeural', 'flite rms'],
  ['Hello everybody, welcome to the show.', undefined, 'festival cmu_us_slt_arctic_hts'],
  ['今天天气很好。', 'en-US-JennyNeural', 'espeak-ng cmn+f2'],
  ['Olá, tudo bem com você?', 'pt-BR-FranciscaNeural', 'espeak-ng pt-br+f2'],
])('speaks %j for the voice %s with %s', async (text, voice, engine) => {
  const speech = await speak({ text, model: 'offline', ...(voice === undefined ? {} : { voice }) });
  expect(speech).toMatchObject({ engine, warnings: [] });
  expect(speech.durationSeconds).toBeGreaterThan(0.5);
});

it('replaces an unconfigured service with a warning', async () => {
  const speech = await speak({ text: 'Hello there', voice: 'en-US-EmmaMultilingualNeural', model: 'azure' });
  expect(speech.warnings).toEqual(['the voice model "azure" is not set up on this host, so its own voice speaks (festival cmu_us_slt_arctic_hts)']);
});

it('text without speakable characters becomes a short silence', async () => {
  const speech = await speak({ text: '... !!! ---', model: 'offline' });
  expect(speech.words).toEqual([]);
  expect(speech.durationSeconds).toBeGreaterThan(0);
});

it('lists the available voices', async () => {
  const { engines } = await speaker.listVoices();
  expect(engines.filter(({ available }) => available).map(({ model }) => model)).toEqual(['festival', 'flite', 'espeak-ng']);
  expect(engines.find(({ model }) => model === 'azure')?.detail).toBe('FRAMEWRIGHT_VOICE_AZURE_KEY is not set');
});
