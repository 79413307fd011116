import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type BenchProgram, benchProgramPath, type Clip, type EncodeCost, MeasurementFailure, type Quality } from './bench-program.js';
import { findRate } from './find-rate.js';
import type { Journal } from './journal.js';
import { type Configuration, defaults, type Step, stepName } from './settings.js';
import { shuffled } from './statistics.js';
import type { Vmaf, VmafProgram } from './vmaf.js';

export interface TrialRequest {
  clips: readonly Clip[];
  configurations: readonly Configuration[];
  ladder: (configuration: Configuration) => readonly Step[];
  rounds: number;
  /** Decides the order of every round. */
  seed: number;
  /** For files that are gone when a measurement is done. */
  workDir: string;
  onProgress: (progress: number, stage: string) => void;
}

/** One clip, encoded in one way. */
export interface Point {
  clip: Clip;
  configuration: Configuration;
  step: Step;
  crf: number;
  quality: Quality & { vmaf?: Vmaf };
  /** One for each round. */
  costs: EncodeCost[];
}

export interface Failure {
  clip: string;
  configuration: string;
  step: string;
  reason: string;
}

export interface TrialParts {
  program: BenchProgram;
  journal: Journal;
  vmaf: VmafProgram | undefined;
  signal: AbortSignal;
}

interface Task {
  clip: Clip;
  configuration: Configuration;
  step: Step;
  /** What everything measured about it is kept under. */
  key: string;
}

/**
 * Rounds of all encodings, each in an order of its own, so that what disturbs the host does not disturb one encoder alone. Quality is
 * measured once. An encoding that failed is not tried again; what the journal has is not measured again.
 */
export async function runTrial(request: TrialRequest, parts: TrialParts): Promise<{ points: Point[]; failures: Failure[] }> {
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
        const kept = found.get(task) ?? { crf: await crfOf(task, request, parts), costs: [] };
        const out = join(request.workDir, 'encoded.nut');
        await rm(out, { force: true });
        kept.costs.push(await costOf(task, kept.crf, round, out, parts));
        progress(label);
        kept.quality ??= await qualityOf(task, kept.crf, out, request, parts);
        found.set(task, kept);
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

/** What decides a measurement is its key: the clip's bytes, the program's, and the settings. */
async function listTasks({ clips, configurations, ladder }: TrialRequest): Promise<Task[]> {
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

async function kept<T>(journal: Journal, key: string, make: () => Promise<T>): Promise<T> {
  const known = journal.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = await make();
  await journal.put(key, made);
  return made;
}

async function crfOf({ clip, configuration, step, key }: Task, { workDir }: TrialRequest, { program, journal }: TrialParts): Promise<number> {
  if ('crf' in step) return step.crf;
  const out = join(workDir, 'search.nut');
  return kept(journal, `crf|${key}`, async () => {
    const kbpsAt = async (crf: number): Promise<number> => kbpsOf(clip, (await program.encode(clip, configuration, crf, out)).bytes);
    // Quality scales of whole numbers, where the encoder has no other.
    const grain = configuration.encoder === 'libsvtav1' || configuration.encoder.endsWith('_vaapi') ? 1 : 0.25;
    return findRate(step.kbps, { best: 1, worst: defaults[configuration.encoder].worst, grain, kbpsAt });
  });
}

export function kbpsOf({ frames, fpsNum, fpsDen }: Clip, bytes: number): number {
  return (bytes * 8 * fpsNum) / (1000 * frames * fpsDen);
}

function costOf({ clip, configuration, key }: Task, crf: number, round: number, out: string, { program, journal }: TrialParts): Promise<EncodeCost> {
  return kept(journal, `cost|${round}|${key}`, () => program.encode(clip, configuration, crf, out));
}

async function qualityOf(task: Task, crf: number, out: string, { workDir }: TrialRequest, parts: TrialParts): Promise<Point['quality']> {
  const { program, journal, vmaf } = parts;
  const { clip, configuration, key } = task;
  try {
    return await kept(journal, `quality|${vmaf?.version ?? ''}|${key}`, async () => {
      // Where the cost was measured in an earlier run, that has left no file behind.
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

function countSteps(total: number, onProgress: TrialRequest['onProgress']): (label: string) => void {
  let done = 0;
  return (label) => {
    done++;
    onProgress(Math.min(1, done / total), label);
  };
}
