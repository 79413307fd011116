import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findModel } from '../../../../src/providers/speech/sherpa/model-files.js';
import { startSpeaking } from './synthesize.js';
import { writeToyVoice } from './toy-model.js';

const { folder } = startSpeaking();
const voiceFolder = join(folder, 'toy');
writeToyVoice(voiceFolder);
const request = { text: 'hello world! how are you?', model: 'sherpa' };

describe('an installed neural voice', () => {
  it('speaks sentence by sentence with estimated word times', async () => {
    const { speak, speaker } = startSpeaking({ FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR: voiceFolder });
    const speech = await speak(request);
    expect(speech).toMatchObject({ engine: 'sherpa 0', isEstimated: true, warnings: [] });
    // A tenth of a second for each of the 12 and 12 letters, and a pause between the sentences.
    expect(speech.durationSeconds).toBeGreaterThan(2.2);
    expect(speech.durationSeconds).toBeLessThan(3.2);
    expect(speech.words.map(({ text }) => text)).toEqual(['hello', 'world!', 'how', 'are', 'you?']);
    expect(speech.words[2]?.start).toBeGreaterThan((speech.words[1]?.end ?? 9) + 0.3);
    expect((await speaker.listVoices()).engines.find(({ model }) => model === 'sherpa')).toMatchObject({ available: true });
  });

  it('is replaced with a warning if the folder contains no voice', async () => {
    const { speak } = startSpeaking({ FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR: tmpdir() });
    const speech = await speak(request);
    expect(speech.warnings).toEqual([expect.stringContaining('"sherpa" is not set up on this host')]);
  });

  it('fails its element, not the process, if sherpa-onnx cannot run it', async () => {
    const broken = join(folder, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'model.onnx'), 'this is no model');
    writeFileSync(join(broken, 'tokens.txt'), 'a 0\n');
    const { speak } = startSpeaking({ FRAMEWRIGHT_VOICE_SHERPA_MODEL_DIR: broken });
    await expect(speak(request)).rejects.toMatchObject({ code: 'RENDER_FAILED', message: expect.stringContaining('sherpa-onnx failed') });
  });
});

describe('the type of a voice folder', () => {
  const made = (...names: string[]) => {
    const path = join(folder, names.join('-').slice(0, 60));
    mkdirSync(path, { recursive: true });
    for (const name of names) writeFileSync(join(path, name), '');
    return { path, found: findModel(path)?.model };
  };

  it('is detected by its files: Piper, Kokoro, Matcha or none', () => {
    const piper = made('en_US-amy-low.onnx', 'tokens.txt', 'espeak-ng-data', 'en_US-amy-low.onnx.json');
    expect(piper.found).toEqual({
      vits: { model: join(piper.path, 'en_US-amy-low.onnx'), tokens: join(piper.path, 'tokens.txt'), dataDir: join(piper.path, 'espeak-ng-data') },
    });
    const kokoro = made('model.onnx', 'model.int8.onnx', 'voices.bin', 'tokens.txt', 'lexicon-us-en.txt', 'lexicon-zh.txt');
    expect(kokoro.found).toEqual({
      kokoro: {
        model: join(kokoro.path, 'model.onnx'),
        voices: join(kokoro.path, 'voices.bin'),
        tokens: join(kokoro.path, 'tokens.txt'),
        lexicon: `${join(kokoro.path, 'lexicon-us-en.txt')},${join(kokoro.path, 'lexicon-zh.txt')}`,
      },
    });
    expect(Object.keys(made('model-steps-3.onnx', 'vocos-22khz-univ.onnx', 'tokens.txt').found ?? {})).toEqual(['matcha']);
    expect(made('readme.txt').found).toBeUndefined();
  });
});
