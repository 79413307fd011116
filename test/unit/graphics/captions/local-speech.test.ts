import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { detectSpeech, readChunks } from '../../../../src/providers/transcription/sherpa/audio-chunks.js';
import { type RecognizedChunk, wordsOfChunk } from '../../../../src/providers/transcription/sherpa/chunk-words.js';
import { findSpeechModel, type SpeechModel } from '../../../../src/providers/transcription/sherpa/model-files.js';
import { hotwordsOf, recognizerConfig } from '../../../../src/providers/transcription/sherpa/recognizer-config.js';

const folder = mkdtempSync(join(tmpdir(), 'local-speech-'));
afterAll(() => rmSync(folder, { recursive: true }));

const heard = (changes: Partial<RecognizedChunk>): RecognizedChunk => ({ text: '', tokens: [], timestamps: [], durations: [], speech: [], ...changes });
const rounded = (piece: RecognizedChunk) => wordsOfChunk(piece).map(({ text, start, end }) => [text, Number(start.toFixed(2)), Number(end.toFixed(2))]);

describe('words', () => {
  test('are made of tokens, end where the next begins, and carry their marks', () => {
    const tokens = [' Hel', 'lo', ',', ' big', ' ', 'w', 'orld', ' ', '!'];
    const timestamps = [0.5, 0.6, 0.7, 0.8, 1.9, 2, 2.1, 2.2, 2.3];
    expect(rounded(heard({ tokens, timestamps }))).toEqual([
      ['Hello,', 0.5, 0.8],
      ['big', 0.8, 1.1],
      ['world!', 2, 2.4],
    ]);
  });

  test('take as long as the model says', () => {
    expect(rounded(heard({ tokens: ['▁one', '▁two'], timestamps: [0, 1], durations: [0.16, 0.5] }))).toEqual([
      ['one', 0, 0.16],
      ['two', 1, 1.5],
    ]);
  });

  test('of scripts without spaces are told one by one, also where they are spelled in bytes', () => {
    expect(rounded(heard({ tokens: ['你', '<0xE5>', '<0xA5>', '<0xBD>', '。', '<unk>'], timestamps: [0, 0.2, 0.2, 0.24, 0.5, 0.6] }))).toEqual([
      ['你', 0, 0.2],
      ['好。', 0.2, 0.5],
    ]);
  });

  test('without times share what is heard, and not the pauses', () => {
    const stretches = [
      { start: 1, end: 2 },
      { start: 4, end: 5 },
    ];
    expect(rounded(heard({ text: ' Some words here now.', speech: stretches }))).toEqual([
      ['Some', 1, 1.47],
      ['words', 1.47, 2],
      ['here', 4.06, 4.53],
      ['now.', 4.53, 5],
    ]);
    expect(rounded(heard({ text: ' ', speech: stretches }))).toEqual([]);
    expect(rounded(heard({ text: 'noise', speech: [] }))).toEqual([]);
  });
});

/** 16 kHz; a tone in some stretches. */
function writeSound(seconds: number, tones: ReadonlyArray<readonly [from: number, to: number]>): number {
  const bytes = Buffer.alloc(44 + seconds * 32_000);
  for (const [from, to] of tones) for (let i = from * 16_000; i < to * 16_000; i++) bytes.writeInt16LE(Math.round(9000 * Math.sin(i / 5)), 44 + i * 2);
  writeFileSync(join(folder, 'sound.wav'), bytes);
  return openSync(join(folder, 'sound.wav'), 'r');
}

describe('a long sound', () => {
  test('is cut in its pauses, and nothing of it is lost or said twice', () => {
    const file = writeSound(70, [
      [0, 14],
      [14.5, 36],
      [36.4, 70],
    ]);
    const pieces = [...readChunks(file)];
    closeSync(file);
    expect(pieces[1]?.start).toBeGreaterThan(14);
    expect(pieces[1]?.start).toBeLessThan(14.5);
    expect(pieces[2]?.start).toBeGreaterThan(36);
    expect(pieces[2]?.start).toBeLessThan(36.4);
    let at = 0;
    for (const { start, samples } of pieces) {
      expect(start).toBeCloseTo(at, 6);
      expect(samples.length).toBeLessThanOrEqual(25 * 16_000);
      at += samples.length / 16_000;
    }
    expect(at).toBeCloseTo(70, 6);
  });

  test('gives no pieces of silence', () => {
    const file = writeSound(60, [[40, 41]]);
    const pieces = [...readChunks(file)];
    closeSync(file);
    expect(pieces).toHaveLength(1);
    const [{ start, samples }] = pieces as [(typeof pieces)[0]];
    expect(detectSpeech(samples).map((one) => [Number((one.start + start).toFixed(2)), Number((one.end + start).toFixed(2))])).toEqual([[40, 41]]);
  });
});

describe('a folder is known by its files', () => {
  const made = (name: string, files: Record<string, string>): SpeechModel | undefined => {
    mkdirSync(join(folder, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text);
    return findSpeechModel(join(folder, name));
  };
  const note = (type: string) => `graph\x0a\x0amodel_type\x12${String.fromCharCode(type.length)}${type}`;

  test('Whisper, CTC, transducers, and none', () => {
    const whisper = made('whisper', { 'base-encoder.onnx': '', 'base-encoder.int8.onnx': '', 'base-decoder.onnx': '', 'base-tokens.txt': '' });
    expect(whisper).toEqual({
      kind: 'whisper',
      tokens: join(folder, 'whisper/base-tokens.txt'),
      files: { encoder: join(folder, 'whisper/base-encoder.onnx'), decoder: join(folder, 'whisper/base-decoder.onnx') },
    });
    expect(recognizerConfig(whisper as SpeechModel, 'pt-BR', false, 2)).toMatchObject({ modelConfig: { whisper: { language: 'pt' } } });
    expect(made('nemo', { 'model.int8.onnx': note('EncDecHybridRNNTCTCBPEModel'), 'tokens.txt': '' })?.kind).toBe('NeMo CTC');
    expect(made('zipformer', { 'model.onnx': note('zipformer2_ctc'), 'tokens.txt': '' })?.kind).toBe('zipformer CTC');
    const parts = { 'encoder.onnx': note('zipformer2'), 'decoder.onnx': '', 'joiner.onnx': '' };
    expect(made('transducer', { ...parts, 'tokens.txt': '▁THE 1\n' })).toMatchObject({ kind: 'transducer' });
    expect(made('nemo-transducer', { ...parts, 'encoder.onnx': note('EncDecRNNTBPEModel'), 'tokens.txt': '' })?.kind).toBe('NeMo transducer');
    for (const [name, files] of Object.entries({ voice: { 'model.onnx': note('vits'), 'tokens.txt': '' }, 'no-tokens': parts, empty: {} })) {
      expect(made(name, files), name).toBeUndefined();
    }
    expect(findSpeechModel(join(folder, 'nowhere'))).toBeUndefined();
  });

  test('keywords are for models that can cut them, in their own case', () => {
    const parts = { 'encoder.onnx': note('zipformer2'), 'decoder.onnx': '', 'joiner.onnx': '' };
    const upper = made('upper', { ...parts, 'tokens.txt': '<blk> 0\n▁THE 1\nS 2\n', 'bpe.vocab': '' }) as SpeechModel;
    const lower = made('lower', { ...parts, 'tokens.txt': '<blk> 0\n▁the 1\ns 2\n', 'bpe.vocab': '' }) as SpeechModel;
    const none = made('none', { ...parts, 'tokens.txt': '▁the 1\n' }) as SpeechModel;
    const keywords = ['Frame/wright :9', ' Skia '];
    expect([upper, lower, none].map((model) => hotwordsOf(model, keywords))).toEqual(['FRAME WRIGHT 9/SKIA', 'Frame wright 9/Skia', undefined]);
    expect(hotwordsOf(upper, ['//'])).toBeUndefined();
    expect(recognizerConfig(upper, undefined, true, 1)).toMatchObject({ decodingMethod: 'modified_beam_search', modelConfig: { modelingUnit: 'bpe' } });
    expect(recognizerConfig(upper, undefined, false, 1)).not.toHaveProperty('decodingMethod');
  });
});
