import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProgramError, runProgram } from '../../engine/child-processes/index.js';
import { AppError } from '../../errors/index.js';
import type { Configuration } from './settings.js';

/** The program built from native/encoder_bench. */
export const benchProgramPath = fileURLToPath(new URL('../../../build/Release/framewright-encoder-bench', import.meta.url));

const MAX_OUTPUT_BYTES = 1_000_000;

/** A raw input clip. */
export interface Clip {
  /** File name without extension. */
  name: string;
  /** Path of the Y4M file. */
  path: string;
  width: number;
  height: number;
  fpsNum: number;
  fpsDen: number;
  /** Number of encoded frames. */
  frames: number;
}

/** Format of a clip as the program reports it. */
export type ClipFormat = Omit<Clip, 'name' | 'path'>;

/** Size, time and memory of one encoding. */
export interface EncodeCost {
  frames: number;
  bytes: number;
  wallSeconds: number;
  cpuSeconds: number;
  peakMemoryBytes: number;
}

/** Quality of an encoded clip against its source. */
export interface Quality {
  frames: number;
  /** Y, U, V in dB; null if identical. */
  psnr: Array<number | null>;
  psnrYuv: number | null;
  /** Luma PSNR of the worst frame. */
  leastPsnr: number | null;
  ssim: number[];
  ssimAll: number;
  xpsnr: Array<number | null>;
  xpsnrYuv: number | null;
}

/** Encoders of this host and versions of libav. */
export interface EncoderList {
  encoders: Array<{ name: string; available: boolean; reason: string }>;
  libraries: Record<string, string>;
}

/** A measurement failed for the reason in `message`. */
export class MeasurementFailure extends Error {}

/** Calls of the program; each starts a process and may reject with MeasurementFailure. */
export interface BenchProgram {
  list(): Promise<EncoderList>;
  clip(source: string): Promise<ClipFormat>;
  prepare(source: string, out: string, frames: number): Promise<ClipFormat>;
  /** Options of the encoder as `name=value` pairs. */
  settings(configuration: Configuration, crf: number): Promise<string>;
  encode(clip: Clip, configuration: Configuration, crf: number, out: string): Promise<EncodeCost>;
  measure(clip: Clip, encoded: string, decoded?: string): Promise<Quality>;
}

/** Throws if the program is not built. Aborting `signal` ends running processes. */
export function createBenchProgram(signal: AbortSignal, timeoutSeconds: number): BenchProgram {
  if (!existsSync(benchProgramPath)) throw new AppError('INTERNAL_ERROR', { message: 'The encoder benchmark is not built. Run "npm run setup".' });
  const call = async (command: string, values: Record<string, string | number>): Promise<unknown> => {
    const folder = await mkdtemp(join(tmpdir(), 'framewright-bench-'));
    const args = [command, ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])];
    const run = { args, stdin: '', folder, environment: {}, timeoutMs: timeoutSeconds * 1000, maxOutputBytes: MAX_OUTPUT_BYTES, signal };
    try {
      const { code, stdout, stderr } = await runProgram(benchProgramPath, run);
      if (code === 0) return JSON.parse(stdout.toString('utf8'));
      throw new MeasurementFailure(failureText(code, stdout.toString('utf8'), stderr));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProgramError) throw new MeasurementFailure(error.message);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return {
    list: async () => (await call('list', {})) as EncoderList,
    clip: async (source) => (await call('clip', { source })) as ClipFormat,
    prepare: async (source, out, frames) => (await call('prepare', { source, out, frames })) as ClipFormat,
    settings: async ({ encoder, preset, threads }, crf) => ((await call('settings', { encoder, preset, threads, crf })) as { settings: string }).settings,
    encode: async ({ path, frames }, { encoder, preset, threads }, crf, out) =>
      (await call('encode', { source: path, frames, encoder, preset, threads, crf, out })) as EncodeCost,
    measure: async ({ path, frames }, encoded, decoded) =>
      (await call('measure', { source: path, frames, encoded, ...(decoded !== undefined && { decoded }) })) as Quality,
  };
}

function failureText(code: number | undefined, output: string, stderr: string): string {
  if (code === undefined) return `the encoder's process was killed: ${stderr.slice(-200)}`;
  try {
    const { message, detail } = JSON.parse(output) as { message: string; detail: string };
    return detail === '' ? message : `${message} (${detail})`;
  } catch {
    return `the encoder's process ended with ${code}: ${stderr.slice(-200)}`;
  }
}

/** An error about an input file, which ends the benchmark. */
export function inputError(path: string, error: unknown): AppError {
  return new AppError('INVALID_REQUEST', { message: `${path}: ${error instanceof Error ? error.message : String(error)}`, cause: error });
}
