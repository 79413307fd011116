import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Composition, SegmentResult } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { type CaptionFormat, type Cue, formatCaptions } from '../../graphics/index.js';
import { fileType, type Output, outputFormats, outputRange } from '../../script/index.js';
import type { Timeline } from '../../timeline/index.js';
import { hashFile } from '../assets/index.js';
import type { FrameSize } from '../encode/segments.js';
import type { RenderContext } from '../render-context.js';
import { type Batch, batchOutputs, type ComposedSegments, type ComposedVideo } from './batch-outputs.js';
import { outputFrames } from './output-spec.js';
import { type PlanContext, type PlannedOutput, planOutput } from './planned-output.js';

/** A finished file of a movie. */
export interface OutputFile {
  name: string;
  format: Output['format'];
  path: string;
  mimeType: string;
  /** Of all files of the output. */
  sizeBytes: number;
  /** Pixels; absent for audio and captions. */
  width?: number;
  height?: number;
  /** Absent for stills. */
  durationSeconds?: number;
  /** Of the file at `path`, in hex. */
  sha256: string;
  /** Whether it is a sequence of stills in a ZIP file. */
  sequence?: true;
}

interface OutputsCall extends Omit<PlanContext, 'timeline' | 'engine'> {
  outputs: readonly Output[];
  /** Videos whose segments may be encoded from the same composition. */
  videos?: readonly ComposedVideo[];
  /** By output name. */
  paths: ReadonlyMap<string, string>;
  /** Called with the finished part, 0..1. */
  onProgress: (done: number) => void;
  /** Called with the path of every file or new folder that may exist from now on. */
  onWritten: (path: string) => void;
  /** Called with how each composition was drawn. */
  onComposed?: (composition: Composition) => void;
}

/** What the engine and the file system say of a finished output: smaller than requested where `max_bytes` made it so, 0 for audio. */
export interface MadeOutput extends FrameSize {
  /** Of all its files. */
  sizeBytes: number;
}

/** What renderOutputs made. */
interface Rendered {
  /** By output name. */
  made: Map<string, MadeOutput>;
  segments: ComposedSegments;
}

/** End of the composition in the progress of the outputs. */
const COMPOSED_SHARE = 0.95;

/**
 * Makes files, and segments of videos, from one composition of the timeline, or from several where their encoders would need too much
 * memory. Each file appears complete or not at all; a segment may be missing.
 */
export async function renderOutputs(
  timeline: Timeline,
  call: OutputsCall,
  { engine, onEncoder }: Pick<RenderContext, 'engine' | 'onEncoder'>,
): Promise<Rendered> {
  const { outputs, videos = [], paths, signal, onProgress, onWritten, onComposed } = call;
  const planned: PlannedOutput[] = [];
  for (const output of outputs) planned.push(await planOutput(output, pathOf(output, paths), { ...call, timeline, engine }, planned));
  for (const { path, files } of planned) {
    const created = await mkdir(dirname(path), { recursive: true });
    for (const file of created === undefined ? files : [created, ...files]) onWritten(file);
  }
  const batches = batchOutputs(
    planned.flatMap(({ specs }) => specs),
    videos,
  );
  const { sizes, segments } = await renderBatches(timeline, batches, {
    engine,
    ...(onEncoder && { onEncoder }),
    ...(onComposed && { onComposed }),
    signal,
    onProgress: (done) => onProgress(done * COMPOSED_SHARE),
  });
  for (const [index, { finish }] of planned.entries()) {
    await finish?.();
    onProgress(COMPOSED_SHARE + ((1 - COMPOSED_SHARE) * (index + 1)) / planned.length);
  }
  const entries = planned.map(async ({ output, specs: [first], files }) => {
    const { width, height } = (first && sizes.get(first.path)) ?? output;
    return [output.name, { width, height, sizeBytes: await sizeOf(files) }] as const;
  });
  return { made: new Map(await Promise.all(entries)), segments };
}

/** Writes the engine's files; returns their sizes and the results of segments by path. */
async function renderBatches(
  timeline: Timeline,
  batches: readonly Batch[],
  {
    engine,
    onEncoder,
    onComposed,
    signal,
    onProgress,
  }: Pick<OutputsCall, 'signal' | 'onProgress' | 'onComposed'> & Pick<RenderContext, 'engine' | 'onEncoder'>,
): Promise<{ sizes: Map<string, FrameSize>; segments: ComposedSegments }> {
  const sizes = new Map<string, FrameSize>();
  const composed = new Map<string, SegmentResult>();
  const document = Buffer.from(JSON.stringify(timeline));
  for (const [index, { specs, segments, encoders }] of batches.entries()) {
    const frames = framesOf([...specs, ...segments]);
    const report = (done: number): void => onProgress((index + Math.min(1, done / frames)) / batches.length);
    for (const encoder of encoders) onEncoder?.(encoder, true);
    const made = await engine.renderOutputs(document, specs, { segments, signal, onProgress: report }).finally(() => {
      for (const encoder of encoders) onEncoder?.(encoder, false);
    });
    for (const composition of made.compositions) onComposed?.(composition);
    for (const { path, width, height } of made.outputs) sizes.set(path, { width, height });
    for (const [at, result] of made.segments.entries()) {
      if (!(result instanceof AppError)) composed.set(segments[at]?.path ?? '', result);
    }
  }
  return { sizes, segments: composed };
}

/** From the first to the last frame that is shown. */
function framesOf(shown: ReadonlyArray<{ first: number; end: number }>): number {
  return Math.max(1, Math.max(...shown.map(({ end }) => end)) - Math.min(...shown.map(({ first }) => first)));
}

/** Writes caption files. Their times count from the start of each output's range. */
export async function writeCaptions(
  cues: readonly Cue[],
  { outputs, paths, onWritten }: Pick<OutputsCall, 'outputs' | 'paths' | 'onWritten'>,
  canvas: Timeline['canvas'],
): Promise<void> {
  const movieSeconds = (canvas.frames * canvas.fps.den) / canvas.fps.num;
  for (const output of outputs) {
    const path = pathOf(output, paths);
    onWritten(path);
    await writeFile(path, formatCaptions(cues, output.format as CaptionFormat, outputRange(output, movieSeconds), canvas));
  }
}

/** Describes the finished files, in the order of the outputs; one that `made` does not list has the output's size. */
export function describeFiles(
  outputs: readonly Output[],
  { paths, made }: { paths: ReadonlyMap<string, string>; made: ReadonlyMap<string, MadeOutput> },
  { canvas }: Pick<Timeline, 'canvas'>,
): Promise<OutputFile[]> {
  return Promise.all(
    outputs.map(async (output) => {
      const { name, format } = output;
      const path = pathOf(output, paths);
      const { width, height, sizeBytes } = made.get(name) ?? { ...output, sizeBytes: await sizeOf([path]) };
      const { kind } = outputFormats[format];
      const sha256 = await hashFile(path);
      const { first, end } = outputFrames(output, canvas);
      const durationSeconds = ((end - first) * canvas.fps.den) / canvas.fps.num;
      return {
        name,
        format,
        path,
        mimeType: fileType(output).mimeType,
        sizeBytes,
        ...(kind !== 'audio' && kind !== 'captions' && { width, height }),
        ...((kind !== 'still' || output.sequence) && { durationSeconds }),
        sha256,
        ...(output.sequence && { sequence: true }),
      };
    }),
  );
}

/** Bytes of all files that exist. */
async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function pathOf({ name }: Output, paths: ReadonlyMap<string, string>): string {
  const path = paths.get(name);
  if (path === undefined) throw new Error(`no path for the output ${name}`);
  return path;
}
