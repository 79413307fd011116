import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ProgramError, runProgram } from '../../engine/child-processes/index.js';
import { type Clip, MeasurementFailure } from './bench-program.js';

/** VMAF of a clip. */
export interface Vmaf {
  /** Name of the VMAF model. */
  model: string;
  mean: number;
  harmonicMean: number;
}

/** Netflix's `vmaf` program. */
export interface VmafProgram {
  version: string;
  compare(clip: Clip, decoded: string): Promise<Vmaf>;
}

const MODEL = 'vmaf_v0.6.1';
const HOUR_MS = 3_600_000;

/** Returns undefined if `vmaf` is not on PATH. */
export async function findVmaf(environment: Readonly<Record<string, string>>, folder: string, signal: AbortSignal): Promise<VmafProgram | undefined> {
  const run = (args: string[]) => runProgram('vmaf', { args, stdin: '', folder, environment, timeoutMs: HOUR_MS, maxOutputBytes: 1_000_000, signal });
  try {
    const { stdout, stderr } = await run(['--version']);
    const version = (stdout.toString('utf8').trim() || stderr).split('\n')[0] ?? '';
    return { version, compare: (clip, decoded) => compare(run, clip, decoded) };
  } catch (error) {
    if (error instanceof ProgramError) return undefined;
    throw error;
  }
}

type Run = (args: string[]) => Promise<{ code: number | undefined; stderr: string }>;

async function compare(run: Run, clip: Clip, decoded: string): Promise<Vmaf> {
  const path = `${decoded}.vmaf.json`;
  const args = [
    '--reference',
    clip.path,
    '--distorted',
    decoded,
    '--model',
    `version=${MODEL}`,
    '--frame_cnt',
    String(clip.frames),
    '--json',
    '--output',
    path,
  ];
  const { code, stderr } = await run(args);
  if (code !== 0) throw new MeasurementFailure(`vmaf exited with code ${code} in ${dirname(path)}: ${stderr.slice(-200)}`);
  try {
    const { pooled_metrics } = JSON.parse(await readFile(path, 'utf8')) as { pooled_metrics: { vmaf: { mean: number; harmonic_mean: number } } };
    return { model: MODEL, mean: pooled_metrics.vmaf.mean, harmonicMean: pooled_metrics.vmaf.harmonic_mean };
  } catch (error) {
    throw new MeasurementFailure(`the output of vmaf cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(path, { force: true });
  }
}
