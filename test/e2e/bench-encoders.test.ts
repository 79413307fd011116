import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/cli/encoder-bench/results-document.js';
import { runCli, temporaryFolder } from '../support/cli.js';
import { ffmpeg } from '../support/ffmpeg.js';

const program = fileURLToPath(new URL('../../build/Release/framewright-encoder-bench', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clip: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  clip = join(folder.path, 'second.y4m');
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x96:r=24,noise=alls=5:allf=t', '-frames:v', '24', '-pix_fmt', 'yuv420p', clip);
});

afterAll(() => folder.remove());

const results = (out: string): ResultsDocument => JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as ResultsDocument;

describe('framewright bench encoders', () => {
  test('measures two encoders like ffmpeg, writes its files and resumes', async () => {
    const out = join(folder.path, 'out');
    const args = ['bench', 'encoders', clip, '-o', out, '--encoders', 'libx264,libsvtav1', '--presets', 'libx264:ultrafast', '--presets', 'libsvtav1:12'];
    args.push('--ladder', '20,26,32,38', '--ladder', 'libsvtav1:24,34,44,54', '--rounds', '2', '--threads', '1', '--anchor', 'libx264', '--json');
    const first = await runCli(args);
    expect(first.stderr).not.toContain('failed');
    expect(first.code).toBe(0);
    const document = results(out);
    const { points, comparisons, failures } = document.results;
    expect(failures).toEqual([]);
    expect(points.map(({ configuration, crf, frames }) => [configuration, crf, frames])).toEqual([
      ...[20, 26, 32, 38].map((crf) => ['libx264 ultrafast', crf, 24]),
      ...[24, 34, 44, 54].map((crf) => ['libsvtav1 12', crf, 24]),
    ]);

    const point = points[1];
    const encoded = join(folder.path, 'again.nut');
    execFileSync(program, ['encode', '--source', clip, '--out', encoded, '--encoder', 'libx264', '--preset', 'ultrafast', '--crf', '26', '--threads', '1'], {
      stdio: 'ignore',
    });
    const graph = '[0:v]settb=1/24,setpts=N,split[a][b];[1:v]settb=1/24,setpts=N,split[c][d];[a][c]ssim;[b][d]psnr';
    const { stderr } = spawnSync('ffmpeg', ['-cpuflags', '0', '-nostdin', '-i', encoded, '-i', clip, '-lavfi', graph, '-f', 'null', '-'], { encoding: 'utf8' });
    const figure = (pattern: RegExp): number => Number(pattern.exec(stderr)?.[1]);
    expect(point?.psnr[0]).toBeCloseTo(figure(/PSNR y:([\d.]+)/), 4);
    expect(point?.psnr[2]).toBeCloseTo(figure(/ v:([\d.]+) average/), 4);
    expect(point?.ssimAll).toBeCloseTo(figure(/All:([\d.]+)/), 4);
    const packets = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'packet=size', '-of', 'csv=p=0', encoded], { encoding: 'utf8' });
    expect(point?.bytes).toBe(
      packets
        .trim()
        .split(/[,\s]+/)
        .map(Number)
        .reduce((sum, size) => sum + size, 0),
    );
    expect(point?.kbps).toBeCloseTo(((point?.bytes ?? 0) * 8) / 1000, 6);

    const overall = comparisons.filter((entry) => entry.clip === undefined);
    expect(overall.map(({ configuration }) => configuration)).toEqual(['libx264 ultrafast', 'libsvtav1 12']);
    expect(overall[0]?.bdRates.psnr?.percent).toBeCloseTo(0, 9);
    expect(overall[1]?.bdRates.psnr?.overlapPercent).toBeGreaterThan(20);
    expect(document.settings['libx264 ultrafast']).toContain('x264-params=stitchable=1');
    expect(document.command).toContain('--ladder libsvtav1:24,34,44,54');
    expect(readFileSync(join(out, 'results.csv'), 'utf8').trim().split('\n')).toHaveLength(9);
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page.match(/<figure/g)).toHaveLength(6);
    // The page is self-contained.
    expect(page).not.toMatch(/(src|href)=|url\(|@import|https?:/);

    const journal = join(out, 'measurements.jsonl');
    const size = statSync(journal).size;
    const second = await runCli(args);
    expect(second.code).toBe(0);
    expect(statSync(journal).size).toBe(size);
    expect(results(out).results).toEqual(document.results);
  });

  test('lists failed encodes and continues, searches bit rates and composes movies', async () => {
    const movie = join(folder.path, 'movie.json');
    const scenes = [{ duration: 0.5, background: '#204060', elements: [{ type: 'text', text: 'Rate', style: '003', font_size: 30 }] }];
    writeFileSync(movie, JSON.stringify({ width: 160, height: 96, fps: 24, scenes }));
    const out = join(folder.path, 'failing');
    const args = ['bench', 'encoders', clip, movie, '-o', out, '--encoders', 'libx264', '--presets', 'ultrafast,nosuch', '--ladder', '300k', '--rounds', '1'];
    const { code, stderr } = await runCli([...args, '--threads', '1', '--frames', '10']);
    expect(code).toBe(0);
    expect(stderr).toContain('failed: libx264 nosuch, 300 kbit/s, second: the encoder libx264 cannot be opened');
    const { points, failures } = results(out).results;
    expect(failures).toHaveLength(2);
    expect(points.map(({ clip: name, frames }) => [name, frames])).toEqual([
      ['second', 10],
      ['movie', 10],
    ]);
    expect(points[0]?.kbps).toBeGreaterThan(270);
    expect(points[0]?.kbps).toBeLessThan(330);
    expect(results(out).results.comparisons.every(({ bdRates }) => Object.keys(bdRates).length === 0)).toBe(true);
  });

  test('rejects a wrong option with exit code 2', async () => {
    const { code, stderr } = await runCli(['bench', 'encoders', clip, '-o', join(folder.path, 'refused'), '--encoders', 'libx266']);
    expect(stderr).toContain('there is no encoder "libx266". Use one of libx264');
    expect(code).toBe(2);
  });

  test.each([
    ['ten.y4m', 'YUV4MPEG2 W16 H16 F25:1 C420p10\nFRAME\n', 'Y4M colour space C420p10'],
    ['text.mp4', 'not a video', 'text.mp4: '],
  ])('rejects %s with its name and the reason', async (name, content, words) => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    const { code, stderr } = await runCli(['bench', 'encoders', path, '-o', join(folder.path, 'refused'), '--encoders', 'libx264']);
    expect(stderr).toContain(words);
    expect(stderr).toContain(name);
    expect(code).toBe(1);
  });
});
