import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../../src/engine/index.js';
import { AppError } from '../../../src/errors/index.js';
import { ffmpeg, ffprobe } from '../../support/ffmpeg.js';

const folder = mkdtempSync(join(tmpdir(), 'framewright-extract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const engine = createEngine();
const inFolder = (name: string): string => join(folder, name);

const sweep = 'aevalsrc=0.5*sin(2*PI*(200+300*t)*t)|0.3*sin(2*PI*500*t):d=4';

function decodedByFfmpeg(path: string, rate: number): Int16Array {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-ac', '1', '-ar', String(rate), '-f', 's16le', '-'], { maxBuffer: 1e8 });
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const rms = (samples: ArrayLike<number>): number => Math.sqrt(Array.from(samples).reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe('the sound of a file', () => {
  it.each([
    ['film.mp4', ['-f', 'lavfi', '-i', `${sweep}:s=44100`, '-f', 'lavfi', '-i', 'color=red:s=64x64:d=4', '-c:a', 'aac', '-b:a', '192k'], 16_000],
    ['sound.flac', ['-f', 'lavfi', '-i', `${sweep}:s=48000`], 16_000],
    ['sound.ogg', ['-f', 'lavfi', '-i', `${sweep}:s=44100`, '-c:a', 'libvorbis', '-q', '6'], 24_000],
  ])('is written as ffmpeg decodes it: %s', async (name, args, rate) => {
    const path = inFolder(name);
    await ffmpeg(...args, path);
    const output = `${path}.wav`;
    const info = await engine.extractSound(path, output, rate);
    const { streams, format } = ffprobe(output);
    expect(streams).toMatchObject([{ codec_name: 'pcm_s16le', sample_rate: String(rate), channels: 1 }]);
    const bytes = readFileSync(output);
    expect(info).toEqual({ samples: (bytes.length - 44) / 2, bytes: bytes.length, faults: [] });
    expect(Number(format.duration)).toBeCloseTo(4, 1);
    const ours = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length));
    const theirs = decodedByFfmpeg(path, rate);
    const count = Math.min(ours.length, theirs.length);
    expect(Math.abs(ours.length - theirs.length)).toBeLessThan(rate / 20);
    const difference = Array.from({ length: count }, (_, i) => (ours[i] ?? 0) - (theirs[i] ?? 0));
    expect(rms(theirs)).toBeGreaterThan(3000);
    expect(rms(difference) / rms(theirs)).toBeLessThan(0.02);
  });

  it('is refused for a file without sound, and no file remains', async () => {
    await ffmpeg('-f', 'lavfi', '-i', 'color=red:s=64x64:d=1', inFolder('silent.mp4'));
    const refused = engine.extractSound(inFolder('silent.mp4'), inFolder('none.wav'), 16_000);
    await expect(refused).rejects.toThrow(AppError);
    await expect(refused).rejects.toMatchObject({ code: 'RENDER_FAILED', message: expect.stringContaining('no audio stream') });
    expect(existsSync(inFolder('none.wav'))).toBe(false);
    await expect(engine.extractSound(inFolder('sound.flac'), inFolder('none.wav'), 3)).rejects.toThrow('8000 to 48000');
  });

  it('is an error of the host if it cannot be written', async () => {
    await expect(engine.extractSound(inFolder('sound.flac'), inFolder('nowhere/a.wav'), 16_000)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('stops being written on cancellation', async () => {
    await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=d=600:r=48000', '-c:a', 'flac', inFolder('long.flac'));
    const stop = new AbortController();
    const written = engine.extractSound(inFolder('long.flac'), inFolder('long.wav'), 16_000, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(written).rejects.toThrow('enough');
    expect(existsSync(inFolder('long.wav'))).toBe(false);
  });
});
