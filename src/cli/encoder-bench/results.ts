import { bdRate, interpolate } from './bd-rate.js';
import { type Failure, kbpsOf, type Point } from './run-benchmark.js';
import { type Configuration, stepName } from './settings.js';
import { type Spread, spreadOf } from './statistics.js';

/** Quality metrics with their titles and units. */
export const metrics = {
  xpsnr: { title: 'XPSNR', unit: 'dB', of: (point: Point) => point.quality.xpsnrYuv },
  psnr: { title: 'PSNR', unit: 'dB', of: (point: Point) => point.quality.psnrYuv },
  ssim: { title: 'SSIM', unit: 'dB', of: (point: Point) => decibels(point.quality.ssimAll) },
  vmaf: { title: 'VMAF', unit: '', of: (point: Point) => point.quality.vmaf?.mean ?? null },
} as const;

export type Metric = keyof typeof metrics;

/** SSIM as −10 log10(1 − SSIM), because values close to 1 are hard to compare; null if identical. */
function decibels(ssim: number): number | null {
  return ssim < 1 ? -10 * Math.log10(1 - ssim) : null;
}

/** Measurements of one clip, configuration and step. */
export interface PointResult {
  clip: string;
  configuration: string;
  step: string;
  crf: number;
  frames: number;
  bytes: number;
  kbps: number;
  /** Null if the output is identical to the source. */
  quality: Record<Metric, number | null>;
  psnr: Array<number | null>;
  leastPsnr: number | null;
  ssim: number[];
  ssimAll: number;
  xpsnr: Array<number | null>;
  framesPerSecond: Spread;
  cpuSecondsPerFrame: Spread;
  peakMemoryBytes: Spread;
  /** Whether the size differed between rounds. */
  varies: boolean;
}

/** A configuration on one clip, or averaged over all (`clip` undefined; speeds by their geometric mean). */
export interface Comparison {
  clip: string | undefined;
  configuration: string;
  /** BD-rates against the anchor. */
  bdRates: Partial<Record<Metric, { percent: number; overlapPercent: number }>>;
  /** Frames per second at the median quality of the anchor's ladder. */
  speed: Partial<Record<Metric, number>>;
  peakMemoryBytes: number;
  cpuSecondsPerFrame: number;
}

/** All results of a benchmark. */
export interface Results {
  points: PointResult[];
  anchor: string;
  comparisons: Comparison[];
  failures: Failure[];
}

/** Takes medians over the rounds and compares all configurations with the anchor. */
export function summarise(points: readonly Point[], failures: Failure[], configurations: readonly Configuration[], anchor: string): Results {
  const results = points.map(pointResult);
  const clips = [...new Set(results.map(({ clip }) => clip))];
  const names = configurations.map(({ name }) => name);
  const perClip = clips.flatMap((clip) => names.map((name) => compare(results, clip, name, anchor)).filter((entry) => entry !== undefined));
  const overall = names.flatMap((name) => {
    const entries = perClip.filter(({ configuration }) => configuration === name);
    return entries.length === 0 ? [] : [meanOf(entries, name)];
  });
  return { points: results, anchor, comparisons: [...overall, ...perClip], failures };
}

function pointResult(point: Point): PointResult {
  const { clip, configuration, step, crf, quality, costs } = point;
  const bytes = costs[0]?.bytes ?? 0;
  return {
    clip: clip.name,
    configuration: configuration.name,
    step: stepName(step),
    crf,
    frames: quality.frames,
    bytes,
    kbps: kbpsOf(clip, bytes),
    quality: { xpsnr: metrics.xpsnr.of(point), psnr: metrics.psnr.of(point), ssim: metrics.ssim.of(point), vmaf: metrics.vmaf.of(point) },
    psnr: quality.psnr,
    leastPsnr: quality.leastPsnr,
    ssim: quality.ssim,
    ssimAll: quality.ssimAll,
    xpsnr: quality.xpsnr,
    framesPerSecond: spreadOf(costs.map(({ frames, wallSeconds }) => frames / wallSeconds)),
    cpuSecondsPerFrame: spreadOf(costs.map(({ frames, cpuSeconds }) => cpuSeconds / frames)),
    peakMemoryBytes: spreadOf(costs.map(({ peakMemoryBytes }) => peakMemoryBytes)),
    varies: costs.some((cost) => cost.bytes !== bytes),
  };
}

function compare(points: readonly PointResult[], clip: string, configuration: string, anchor: string): Comparison | undefined {
  const of = (name: string): PointResult[] => points.filter((point) => point.clip === clip && point.configuration === name);
  const [own, anchors] = [of(configuration), of(anchor)];
  if (own.length === 0) return undefined;
  const comparison: Comparison = {
    clip,
    configuration,
    bdRates: {},
    speed: {},
    peakMemoryBytes: Math.max(...own.map((point) => point.peakMemoryBytes.median)),
    cpuSecondsPerFrame: spreadOf(own.map((point) => point.cpuSecondsPerFrame.median)).median,
  };
  for (const metric of Object.keys(metrics) as Metric[]) {
    const curve = (from: PointResult[]) => from.flatMap((point) => ratePoint(point, metric));
    const delta = bdRate(curve(anchors), curve(own));
    if (delta !== undefined) comparison.bdRates[metric] = delta;
    const middle = spreadOf(curve(anchors).map(({ quality }) => quality)).median;
    const speeds = own.flatMap((point) => ratePoint(point, metric).map(({ quality }) => ({ x: quality, y: Math.log(point.framesPerSecond.median) })));
    const speed = interpolate(distinct(speeds), middle);
    if (speed !== undefined) comparison.speed[metric] = Math.exp(speed);
  }
  return comparison;
}

function ratePoint(point: PointResult, metric: Metric): Array<{ rate: number; quality: number }> {
  const quality = point.quality[metric];
  return quality === null ? [] : [{ rate: point.kbps, quality }];
}

function distinct(points: Array<{ x: number; y: number }>): Array<{ x: number; y: number }> {
  return [...new Map(points.map((point) => [point.x, point])).values()];
}

function meanOf(entries: readonly Comparison[], configuration: string): Comparison {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const overall: Comparison = {
    clip: undefined,
    configuration,
    bdRates: {},
    speed: {},
    peakMemoryBytes: Math.max(...entries.map((entry) => entry.peakMemoryBytes)),
    cpuSecondsPerFrame: mean(entries.map((entry) => entry.cpuSecondsPerFrame)),
  };
  for (const metric of Object.keys(metrics) as Metric[]) {
    const rates = entries.flatMap(({ bdRates }) => bdRates[metric] ?? []);
    const speeds = entries.flatMap(({ speed }) => speed[metric] ?? []);
    // A mean over some of the clips would not be comparable.
    if (rates.length === entries.length)
      overall.bdRates[metric] = {
        percent: mean(rates.map(({ percent }) => percent)),
        overlapPercent: Math.min(...rates.map(({ overlapPercent }) => overlapPercent)),
      };
    if (speeds.length === entries.length) overall.speed[metric] = Math.exp(mean(speeds.map(Math.log)));
  }
  return overall;
}
