import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withLocalRender } from '../../src/cli/local-render.js';
import { loadConfig } from '../../src/config/index.js';
import { planMovie, type RenderContext, renderMovie } from '../../src/render/index.js';
import { decodeSamples, ffmpeg, ffprobe, rms } from '../support/ffmpeg.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framewright-voice-'));
  await ffmpeg('-f', 'lavfi', '-i', 'color=red:s=160x90', '-frames:v', '1', join(folder, 'red.png'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;

/** The parts of a render as the command line creates them; file names are relative to the folder. */
function withParts<T>(act: (parts: RenderContext, workDir: string) => Promise<T>): Promise<T> {
  const config = loadConfig({ ...process.env, FRAMEWRIGHT_DATA_DIR: folder });
  return withLocalRender(join(folder, 'movie.json'), config, act);
}

const plan = (script: unknown) => withParts((parts, workDir) => planMovie({ script, workDir, signal }, parts));

describe('a movie with two voices', () => {
  const script = {
    width: 160,
    height: 90,
    fps: 25,
    scenes: [
      {
        elements: [
          { type: 'image', src: 'red.png', duration: -2 },
          { type: 'voice', id: 'first', text: 'Welcome to our house.', model: 'offline' },
          { type: 'voice', text: 'It was built a long time ago.', model: 'offline', voice: 'en-US-GuyNeural', start: -1, 'extra-time': 1 },
        ],
      },
      { duration: '{{first_duration + 1}}', elements: [{ type: 'image', src: 'red.png' }] },
    ],
    variables: {},
  };
  const plain = { ...script, scenes: script.scenes.slice(0, 1) };

  it('is as long as its voices, which play one after the other', async () => {
    const outputPath = join(folder, 'film.mp4');
    const { output, files } = await withParts(async (parts, workDir) => ({
      output: await renderMovie({ script: plain, workDir, outputPath, signal, onProgress: () => {} }, parts),
      files: (await readdir(workDir)).filter((name) => name.endsWith('.wav')).map((name) => Number(ffprobe(join(workDir, name)).format.duration)),
    }));
    expect(output.warnings).toEqual([]);
    expect(files).toHaveLength(2);
    const [one, two] = files.sort((a, b) => a - b) as [number, number];
    const spoken = one + two;
    expect(output.durationSeconds).toBeCloseTo(spoken + 1, 1);
    expect(Number(ffprobe(outputPath).format.duration)).toBeCloseTo(spoken + 1, 1);
    const samples = await decodeSamples(outputPath);
    expect(rms(samples, 0.05, one)).toBeGreaterThan(0.03);
    expect(rms(samples, one + 0.1, spoken - 0.1)).toBeGreaterThan(0.03);
    expect(rms(samples, spoken + 0.1, spoken + 0.9)).toBeLessThan(0.0005);
    // Nothing clips, and no sample jumps where one voice ends and the next begins.
    expect(samples.reduce((maximum, sample) => Math.max(maximum, Math.abs(sample)), 0)).toBeLessThan(0.95);
    const seam = samples.subarray(Math.round((one - 0.01) * 48_000), Math.round((one + 0.01) * 48_000));
    expect(Math.max(...seam.map((sample, i) => (i === 0 ? 0 : Math.abs(sample - (seam[i - 1] ?? 0)))))).toBeLessThan(0.05);
  });

  it('expressions can use the duration of a voice', async () => {
    const { seconds, length } = await withParts(async (parts, workDir) => {
      const { timeline } = await planMovie({ script, workDir, signal }, parts);
      const path = timeline.sources[timeline.audio[0]?.source ?? -1]?.path ?? '';
      return { seconds: (timeline.sections[1]?.frames ?? 0) / 25 - 1, length: Number(ffprobe(path).format.duration) };
    });
    // The real duration of the voice to a frame; the estimate is 1.5 s.
    expect(Math.abs(seconds - length)).toBeLessThanOrEqual(0.04);
    expect(Math.abs(seconds - 1.5)).toBeGreaterThan(0.1);
  });
});

it('an unconfigured service causes a warning, and a voice without a model is silent', async () => {
  const elements = [
    { type: 'voice', text: 'Hello', voice: 'en-US-EmmaMultilingualNeural' },
    { type: 'voice', text: 'Nobody says this.', model: 'none' },
  ];
  const { timeline, warnings } = await plan({ scenes: [{ elements }] });
  expect(timeline.audio).toHaveLength(1);
  expect(warnings).toEqual([
    { path: 'scenes.0.elements.0', message: 'the voice model "azure" is not set up on this host, so its own voice speaks (festival cmu_us_slt_arctic_hts)' },
  ]);
});

it('an unknown model is refused with a list of the allowed ones', async () => {
  const script = { scenes: [{ elements: [{ type: 'voice', text: 'Hello', model: 'azur' }] }] };
  await expect(plan(script)).rejects.toMatchObject({
    code: 'SCHEMA_VALIDATION_ERROR',
    path: 'scenes.0.elements.0.model',
    message: expect.stringMatching(/azure.*elevenlabs.*openai/),
  });
});
