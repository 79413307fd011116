import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BenchProgram, benchProgramPath, type Clip, type EncodeCost, MeasurementFailure, type Quality } from './bench-program.js';
import { findRate } from './find-rate.js';
import type { ResultsLog } from './results-log.js';
import { type Configuration, defaults, type Step, stepName } from './settings.js';
import { shuffled } from './statistics.js';
import type { Vmaf, VmafProgram } from './vmaf.js';

export interface BenchmarkRequest {
  clips: readonly Clip[];
  configurations: readonly Configuration[];
  ladder: (configuration: Configuration) => readonly Step[];
  rounds: number;
  /** Decides the order of every round. */
  seed: number;
  /** Folder for temporary files; each is deleted after its measurement. */
  workDir: string;
  onProgress: (progress: number, stage: string) => void;
}

/** One clip encoded with one configuration at one step of the ladder. */
export interface Point {
  clip: Clip;
  configuration: Configuration;
  step: Step;
  crf: number;
  quality: Quality & { vmaf?: Vmaf };
  /** One entry per round. */
  costs: EncodeCost[];
}

export interface Failure {
  clip: string;
  configuration: string;
  step: string;
  reason: string;
}

export interface BenchmarkParts {
  program: BenchProgram;
  log: ResultsLog;
  vmaf: VmafProgram | undefined;
  signal: AbortSignal;
}

interface Task {
  clip: Clip;
  configuration: Configuration;
  step: Step;
  /** Prefix of its keys in the results log. */
  key: string;
}

/**
 * Encodes everything once per round, each round in a different order, so that interference from the host is shared by all encoders.
 * Quality is measured once. A failed encoding is not repeated, and measurements found in the results log are reused.
 */
export async function runBenchmark(request: BenchmarkRequest, parts: BenchmarkParts): Promise<{ points: Point[]; failures: Failure[] }> {
  const tasks = await listTasks(request);
  const found = new Map<Task, { crf: number; quality?: Point['quality']; costs: EncodeCost[] }>();
  const failures: Failure[] = [];
  const progress = countSteps(tasks.length * (request.rounds + 1), request.onProgress);
  for (let round = 0; round < request.rounds; round++) {
    for (const task of shuffled(tasks, request.seed + round)) {
      parts.signal.throwIfAborted();
      if (round > 0 && !found.has(task)) continue;
      const label = `round ${round + 1} of ${request.rounds}: ${task.configuration.name}, ${stepName(task.step)}, ${task.clip.name}`;
      try {
        const result = found.get(task) ?? { crf: await crfOf(task, request, parts), costs: [] };
        const out = join(request.workDir, 'encoded.nut');
        await rm(out, { force: true });
        result.costs.push(await costOf(task, result.crf, round, out, parts));
        progress(label);
        result.quality ??= await qualityOf(task, result.crf, out, request, parts);
        found.set(task, result);
        if (round === 0) progress(label);
      } catch (error) {
        if (!(error instanceof MeasurementFailure)) throw error;
        found.delete(task);
        failures.push({ clip: task.clip.name, configuration: task.configuration.name, step: stepName(task.step), reason: error.message });
      }
    }
  }
  const points = tasks.flatMap((task): Point[] => {
    const { clip, configuration, step } = task;
    const result = found.get(task);
    return result?.quality === undefined ? [] : [{ clip, configuration, step, crf: result.crf, quality: result.quality, costs: result.costs }];
  });
  return { points, failures };
}

/** A measurement is keyed by everything that influences it: the hashes of the clip and of the bench program, and the settings. */
async function listTasks({ clips, configurations, ladder }: BenchmarkRequest): Promise<Task[]> {
  const program = await hashOf(benchProgramPath);
  const tasks: Task[] = [];
  for (const clip of clips) {
    const content = await hashOf(clip.path);
    for (const configuration of configurations) {
      for (const step of ladder(configuration)) {
        const { encoder, preset, threads } = configuration;
        tasks.push({ clip, configuration, step, key: [program, content, clip.frames, encoder, preset, threads, stepName(step)].join('|') });
      }
    }
  }
  return tasks;
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex').slice(0, 16);
}

async function loggedOr<T>(log: ResultsLog, key: string, make: () => Promise<T>): Promise<T> {
  const known = log.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = await make();
  await log.put(key, made);
  return made;
}

async function crfOf({ clip, configuration, step, key }: Task, { workDir }: BenchmarkRequest, { program, log }: BenchmarkParts): Promise<number> {
  if ('crf' in step) return step.crf;
  const out = join(workDir, 'search.nut');
  return loggedOr(log, `crf|${key}`, async () => {
    const kbpsAt = async (crf: number): Promise<number> => kbpsOf(clip, (await program.encode(clip, configuration, crf, out)).bytes);
    // These encoders accept integer qualities only.
    const isInteger = ['libsvtav1', 'libvpx-vp9'].includes(configuration.encoder) || configuration.encoder.endsWith('_vaapi');
    const grain = isInteger ? 1 : 0.25;
    return findRate(step.kbps, { best: 1, worst: defaults[configuration.encoder].maxCrf, grain, kbpsAt });
  });
}

export function kbpsOf({ frames, fpsNum, fpsDen }: Clip, bytes: number): number {
  return (bytes * 8 * fpsNum) / (1000 * frames * fpsDen);
}

function costOf({ clip, configuration, key }: Task, crf: number, round: number, out: string, { program, log }: BenchmarkParts): Promise<EncodeCost> {
  return loggedOr(log, `cost|${round}|${key}`, () => program.encode(clip, configuration, crf, out));
}

async function qualityOf(task: Task, crf: number, out: string, { workDir }: BenchmarkRequest, parts: BenchmarkParts): Promise<Point['quality']> {
  const { program, log, vmaf } = parts;
  const { clip, configuration, key } = task;
  try {
    return await loggedOr(log, `quality|${vmaf?.version ?? ''}|${key}`, async () => {
      // If the cost comes from the results log, the clip has not been encoded in this run.
      if (!existsSync(out)) await program.encode(clip, configuration, crf, out);
      if (vmaf === undefined) return program.measure(clip, out);
      const decoded = join(workDir, 'decoded.y4m');
      const quality = await program.measure(clip, out, decoded);
      const compared = await vmaf.compare(clip, decoded);
      await rm(decoded, { force: true });
      return { ...quality, vmaf: compared };
    });
  } finally {
    await rm(out, { force: true });
  }
}

function countSteps(total: number, onProgress: BenchmarkRequest['onProgress']): (label: string) => void {
  let done = 0;
  return (label) => {
    done++;
    onProgress(Math.min(1, done / total), label);
  };
}
