import { describe, expect, it } from 'vitest';
import { detectSpeech } from '../../../../src/providers/speech/audio/detect-speech.js';
import { trimAudio } from '../../../../src/providers/speech/audio/edit-audio.js';
import { loudnessOf } from '../../../../src/providers/speech/audio/loudness.js';
import { normalizeLoudness, VOICE_LUFS } from '../../../../src/providers/speech/audio/normalize-loudness.js';
import { parseWav, writeWav } from '../../../../src/providers/speech/audio/wav.js';
import type { PcmAudio } from '../../../../src/providers/speech/speech.js';

const tone = (seconds: number, level: (at: number) => number, sampleRate = 24_000, hertz = 997): PcmAudio => ({
  sampleRate,
  samples: Float32Array.from({ length: seconds * sampleRate }, (_, i) => level(i / sampleRate) * Math.sin((2 * Math.PI * hertz * i) / sampleRate)),
});

describe('WAV', () => {
  it('is read as it was written', () => {
    const sound = tone(0.1, () => 0.5);
    const read = parseWav(writeWav(sound));
    expect(read?.sampleRate).toBe(24_000);
    expect(read?.samples).toHaveLength(sound.samples.length);
    expect(Math.max(...sound.samples.map((sample, i) => Math.abs(sample - (read?.samples[i] ?? 9))))).toBeLessThan(1 / 32_000);
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['no WAV', Buffer.from('ID3 something else entirely, and long enough')],
    ['cut off', writeWav(tone(0.1, () => 0.5)).subarray(0, 30)],
    ['an impossible rate', Buffer.concat([writeWav(tone(0.1, () => 0.5)).subarray(0, 24), Buffer.alloc(200)])],
  ])('%s: none', (_, file) => expect(parseWav(file)).toBeUndefined());
});

describe('loudness', () => {
  // EBU Tech 3341, case 1: a stereo sine of 1 kHz at -23 dBFS is -23 LUFS; case 3 and 4 test the gates.
  it('is that of EBU R128 on both sides', () => {
    expect(loudnessOf(tone(5, () => 10 ** (-23 / 20), 48_000))).toBeCloseTo(-23, 1);
    expect(loudnessOf(tone(5, () => 10 ** (-23 / 20), 16_000))).toBeCloseTo(-23, 1);
    expect(loudnessOf(tone(12, (at) => 10 ** ((at > 2 && at < 10 ? -23 : -36) / 20), 48_000))).toBeCloseTo(-23, 0);
    expect(loudnessOf(tone(1, () => 0))).toBe(Number.NEGATIVE_INFINITY);
  });

  it.each([0.001, 0.1, 1])('a voice at %d gets the loudness of every voice', (level) => {
    const levelled = normalizeLoudness(tone(3, (at) => level * (0.6 + 0.4 * Math.sin(at * 9))));
    expect(loudnessOf(levelled)).toBeCloseTo(level < 0.01 ? loudnessOf(tone(3, (at) => level * (0.6 + 0.4 * Math.sin(at * 9)))) + 24 : VOICE_LUFS, 0);
  });

  it('peaks are held without a jump', () => {
    const levelled = normalizeLoudness(tone(3, (at) => (at > 1.5 && at < 1.505 ? 1 : 0.1), 24_000, 1000));
    const peak = levelled.samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
    expect(peak).toBeLessThanOrEqual(10 ** (-2 / 20) + 1e-4);
    expect(peak).toBeGreaterThan(0.6);
    const steps = levelled.samples.map((sample, i) => Math.abs(sample - (levelled.samples[i - 1] ?? 0)));
    // A 1 kHz sine of this peak moves so far between two samples, and no farther.
    expect(Math.max(...steps)).toBeLessThan(0.8 * 2 * Math.PI * (1000 / 24_000) * 1.1);
  });
});

it('finds what is said between pauses; a short gap is none', () => {
  const sound = tone(3, (at) => ((at > 0.5 && at < 1) || (at > 1.05 && at < 1.5) || (at > 2 && at < 2.5) ? 0.3 : 0));
  const stretches = detectSpeech(sound);
  expect(stretches).toHaveLength(2);
  expect(stretches[0]?.start).toBeCloseTo(0.5, 1);
  expect(stretches[0]?.end).toBeCloseTo(1.5, 1);
  expect(stretches[1]?.start).toBeCloseTo(2, 1);
  expect(detectSpeech(tone(1, () => 0))).toEqual([]);
});

it('a cut begins and ends at silence', () => {
  const { samples } = trimAudio(
    tone(1, () => 0.5, 24_000, 100),
    0.2525,
    0.5025,
  );
  expect(samples).toHaveLength(6000);
  expect(Math.abs(samples[0] ?? 1)).toBeLessThan(0.01);
  expect(Math.abs(samples.at(-1) ?? 1)).toBeLessThan(0.01);
  expect(
    trimAudio(
      tone(1, () => 0.5),
      -0.1,
      1.2,
    ).samples,
  ).toHaveLength(31_200);
});
