import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/index.js';
import { createEngine } from '../../../../src/engine/index.js';
import { createRecogniser, describeRecogniser, RecognitionError } from '../../../../src/providers/transcription/index.js';
import { writeTones } from './tones.js';
import { pitchOfNeMo, writeToyRecogniser, writeToyTransducer } from './toy-model.js';

const folder = mkdtempSync(join(tmpdir(), 'framewright-speech-to-text-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const workDir = join(folder, 'work');
mkdirSync(workDir);
const toy = join(folder, 'toy');
writeToyRecogniser(toy);
const engine = createEngine();

function configOf(modelDir: string) {
  const config = loadConfig({ ...process.env, FRAMEWRIGHT_DATA_DIR: folder, FRAMEWRIGHT_SPEECH_TO_TEXT_SHERPA_MODEL_DIR: modelDir }).speechToText;
  if (config === undefined) throw new Error('speech recognition is off');
  return config;
}

function listen(modelDir: string, path: string, signal = new AbortController().signal, keywords: string[] = ['world']) {
  const recogniser = createRecogniser(configOf(modelDir), { allowPrivateHosts: [] }, engine);
  return recogniser.recognise({ path, folder: workDir, language: 'en', keywords }, signal);
}

describe('an installed speech model', () => {
  it('returns words with times, also across the pauses where long sound is split', async () => {
    const path = writeTones(join(folder, 'long.wav'), 62, [
      [1, '▁hel'],
      [1.2, 'lo'],
      [1.8, '▁big'],
      [24.9, '▁world'],
      [25.1, '!'],
      [60, '▁hel'],
      [60.2, 'lo'],
    ]);
    const words = await listen(toy, path);
    expect(words.map(({ text }) => text)).toEqual(['hello', 'big', 'world!', 'hello']);
    for (const [i, time] of [1, 1.8, 24.9, 60].entries()) {
      // Tokens come every 40 ms.
      expect(Math.abs((words[i]?.start ?? 0) - time)).toBeLessThan(0.1);
    }
    expect(words[0]?.end).toBeGreaterThan(1.3);
    expect(words[0]?.end).toBeLessThanOrEqual(1.8);
    expect(words[2]?.end).toBeLessThan(26);
    expect(readdirSync(workDir)).toEqual([]);
  });

  it('can be a NeMo model', async () => {
    const nemo = join(folder, 'nemo');
    writeToyRecogniser(nemo, 'NeMo CTC');
    const sound = writeTones(
      join(folder, 'nemo.wav'),
      3,
      [
        [0.5, '▁big'],
        [1.5, '▁world'],
      ],
      pitchOfNeMo,
    );
    const words = await listen(nemo, sound);
    expect(words.map(({ text }) => text)).toEqual(['big', 'world']);
    expect(words.map(({ start }) => Math.round(start * 5) / 5)).toEqual([0.6, 1.6]);
    expect(describeRecogniser(configOf(nemo)).detail).toMatch(/^NeMo CTC in /);
  });

  it.each([
    ['without keywords', []],
    ['with keywords', ['big world']],
  ])('may be a transducer, %s', async (_, keywords) => {
    const transducer = join(folder, 'transducer');
    writeToyTransducer(transducer);
    const sound = writeTones(join(folder, 'transducer.wav'), 3, [
      [0.5, '▁big'],
      [1.5, '▁world'],
    ]);
    const words = await listen(transducer, sound, new AbortController().signal, keywords);
    expect(words.map(({ text, start }) => [text, Math.round(start * 5) / 5])).toEqual([
      ['big', 0.6],
      ['world', 1.6],
    ]);
  });

  it('returns no words for silence', async () => {
    expect(await listen(toy, writeTones(join(folder, 'silence.wav'), 3, []))).toEqual([]);
  });

  it('fails the recognition, not the process, if sherpa-onnx cannot run it', async () => {
    const broken = join(folder, 'broken');
    writeToyRecogniser(broken);
    writeFileSync(join(broken, 'tokens.txt'), 'no blank 0\n');
    const sound = writeTones(join(folder, 'short.wav'), 1, [[0.3, '▁big']]);
    const failure = listen(broken, sound);
    await expect(failure).rejects.toThrow(RecognitionError);
    await expect(failure).rejects.toThrow(/could not run the speech model on this host \(.*no blank 0\)/);
    await expect(listen(tmpdir(), sound)).rejects.toThrow('the folder of the speech model on this host contains no supported model');
    expect(readdirSync(workDir)).toEqual([]);
  });

  it('stops when its render is cancelled', async () => {
    const stop = new AbortController();
    const words = listen(toy, writeTones(join(folder, 'stopped.wav'), 20, [[1, '▁big']]), stop.signal);
    stop.abort(new Error('the render was stopped'));
    await expect(words).rejects.toThrow('the render was stopped');
    expect(readdirSync(workDir)).toEqual([]);
  });

  it('is listed by doctor', () => {
    expect(describeRecogniser(configOf(toy))).toEqual({ available: true, detail: expect.stringMatching(/^zipformer CTC in .*, sherpa-onnx \d/) });
    expect(describeRecogniser(configOf(tmpdir()))).toMatchObject({ available: false, detail: expect.stringContaining('contains no supported speech model') });
    expect(describeRecogniser(undefined)).toMatchObject({ available: false });
  });
});

it('a file without sound is skipped', async () => {
  const path = join(folder, 'text.wav');
  writeFileSync(path, 'this is no sound');
  await expect(listen(toy, path)).rejects.toThrow(RecognitionError);
});
