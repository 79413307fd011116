import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportPage } from './report/page.js';
import type { PointResult } from './results.js';
import type { ResultsDocument } from './results-document.js';

/** Writes results.json, results.csv and report.html and returns their paths. */
export async function writeResults(folder: string, document: ResultsDocument): Promise<{ json: string; csv: string; html: string }> {
  const paths = { json: join(folder, 'results.json'), csv: join(folder, 'results.csv'), html: join(folder, 'report.html') };
  await writeFile(paths.json, `${JSON.stringify(document, null, 1)}\n`);
  await writeFile(paths.csv, csvOf(document.results.points));
  await writeFile(paths.html, reportPage(document));
  return paths;
}

const columns: Array<[string, (point: PointResult) => string | number | null | undefined]> = [
  ['clip', (point) => point.clip],
  ['configuration', (point) => point.configuration],
  ['step', (point) => point.step],
  ['crf', (point) => point.crf],
  ['frames', (point) => point.frames],
  ['bytes', (point) => point.bytes],
  ['kbps', (point) => point.kbps],
  ['psnr_y', (point) => point.psnr[0]],
  ['psnr_u', (point) => point.psnr[1]],
  ['psnr_v', (point) => point.psnr[2]],
  ['psnr_611', (point) => point.quality.psnr],
  ['psnr_y_worst_frame', (point) => point.leastPsnr],
  ['ssim_y', (point) => point.ssim[0]],
  ['ssim_u', (point) => point.ssim[1]],
  ['ssim_v', (point) => point.ssim[2]],
  ['ssim_all', (point) => point.ssimAll],
  ['xpsnr_y', (point) => point.xpsnr[0]],
  ['xpsnr_u', (point) => point.xpsnr[1]],
  ['xpsnr_v', (point) => point.xpsnr[2]],
  ['xpsnr_611', (point) => point.quality.xpsnr],
  ['vmaf', (point) => point.quality.vmaf],
  ['fps_median', (point) => point.framesPerSecond.median],
  ['fps_least', (point) => point.framesPerSecond.least],
  ['fps_most', (point) => point.framesPerSecond.most],
  ['cpu_seconds_per_frame', (point) => point.cpuSecondsPerFrame.median],
  ['peak_memory_bytes', (point) => point.peakMemoryBytes.median],
];

/** The points as CSV with a header. */
export function csvOf(points: readonly PointResult[]): string {
  const lines = points.map((point) => columns.map(([, of]) => field(of(point))).join(','));
  return `${[columns.map(([name]) => name).join(','), ...lines].join('\n')}\n`;
}

function field(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
