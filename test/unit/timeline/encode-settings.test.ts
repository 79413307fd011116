import { expect, test } from 'vitest';
import { type EncoderName, encoderNames, encodeSettings, softwareEncodeSettings } from '../../../src/timeline/index.js';

const words = ['low', 'medium', 'high'] as const;
const settingsOf = (quality: (typeof words)[number]) => encodeSettings({ quality }, 'libx264');

test('only at quality high, segments that show a video are encoded at a slower preset', () => {
  expect(settingsOf('low')).toMatchObject({ preset: 'veryfast', crf: 28 });
  expect(settingsOf('medium')).toMatchObject({ preset: 'veryfast', crf: 23 });
  expect(settingsOf('high')).toMatchObject({ preset: 'veryfast', footagePreset: 'slow', crf: 19 });
  for (const quality of ['low', 'medium'] as const) expect(settingsOf(quality)).not.toHaveProperty('footagePreset');
});

test('the other software encoders have a slower preset for all segments at quality high, hardware has one for all words', () => {
  const presetsOf = (encoder: EncoderName) => words.map((quality) => encodeSettings({ quality }, encoder).preset);
  expect(presetsOf('libx265')).toEqual(['veryfast', 'veryfast', 'slow']);
  expect(presetsOf('libsvtav1')).toEqual(['10', '10', '8']);
  expect(presetsOf('h264_nvenc')).toEqual(['p5', 'p5', 'p5']);
  for (const encoder of encoderNames.filter((name) => name !== 'libx264'))
    expect(encodeSettings({ quality: 'high' }, encoder)).not.toHaveProperty('footagePreset');
});

test("an operator's preset applies to all segments, an operator's crf leaves the presets", () => {
  const preset = encodeSettings({ quality: 'high' }, 'libx264', { preset: 'medium' });
  expect(preset).toMatchObject({ preset: 'medium', crf: 19 });
  expect(preset).not.toHaveProperty('footagePreset');
  expect(encodeSettings({ quality: 'high' }, 'libx264', { crf: 17 })).toMatchObject({ preset: 'veryfast', footagePreset: 'slow', crf: 17 });
});

test("the software fallback has the presets of the word, not the hardware encoder's", () => {
  const fallback = softwareEncodeSettings({ codec: 'h264', quality: 'high' }, { encoder: 'h264_nvenc', preset: 'p7', crf: 30 });
  expect(fallback).toMatchObject({ encoder: 'libx264', preset: 'veryfast', footagePreset: 'slow', crf: 19 });
});
