import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { markLoudWords } from '../../../src/render/draw/loud-words.js';
import { ffmpeg } from '../../support/ffmpeg.js';

const folder = mkdtempSync(join(tmpdir(), 'loud-words-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('finds the words that are louder than the others of their file', async () => {
  const path = join(folder, 'voice.wav');
  // Five words of 0.5 s; the fourth is 8 dB louder, the second 2 dB.
  const level = 'between(t,1.5,2)*2.5+between(t,0.5,1)*1.26+not(between(t,1.5,2)+between(t,0.5,1))';
  await ffmpeg('-f', 'lavfi', '-i', `aevalsrc='0.1*sin(2*PI*220*t)*(${level})':d=2.5`, path);
  const words = ['one', 'two', 'three', 'four', 'five'].map((text, i) => ({ text, start: i * 0.5, end: i * 0.5 + 0.48 }));
  const marked = await markLoudWords(words, path, { engine: createEngine(), workDir: folder, signal: new AbortController().signal });
  expect(marked.map(({ loud }) => loud === true)).toEqual([false, false, false, true, false]);
  expect(readdirSync(folder)).toEqual(['voice.wav']);
});
