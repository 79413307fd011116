import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CaptionFormat, type Cue, formatCaptions } from '../../graphics/index.js';
import { fileType, type Output, outputFormats, outputRange } from '../../script/index.js';
import type { Timeline } from '../../timeline/index.js';
import { hashFile } from '../assets/index.js';
import type { RenderContext } from '../render-context.js';
import { batchSpecs } from './batch-specs.js';
import { type OutputSpec, outputFrames } from './output-spec.js';
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
  /** By output name. */
  paths: ReadonlyMap<string, string>;
  /** Called with the finished part, 0..1. */
  onProgress: (done: number) => void;
  /** Called with the path of every file or new folder that may exist from now on. */
  onWritten: (path: string) => void;
}

/** In pixels; smaller than the output's where `max_bytes` made it so, 0 for audio. */
interface FrameSize {
  width: number;
  height: number;
}

/** What the engine and the file system say of a finished output. */
interface MadeOutput extends FrameSize {
  /** Of all its files. */
  sizeBytes: number;
}

/** End of the composition in the progress of the outputs. */
const COMPOSED_SHARE = 0.95;

/**
 * Makes files from one composition of the timeline, or from several where their encoders would need too much memory. Each file appears
 * complete or not at all. Returns what was made by output name.
 */
export async function renderOutputs(timeline: Timeline, call: OutputsCall, { engine }: Pick<RenderContext, 'engine'>): Promise<Map<string, MadeOutput>> {
  const { outputs, paths, signal, onProgress, onWritten } = call;
  const planned: PlannedOutput[] = [];
  for (const output of outputs) planned.push(await planOutput(output, pathOf(output, paths), { ...call, timeline, engine }, planned));
  for (const { path, files } of planned) {
    const created = await mkdir(dirname(path), { recursive: true });
    for (const file of created === undefined ? files : [created, ...files]) onWritten(file);
  }
  const made = await renderFiles(
    timeline,
    planned.flatMap(({ specs }) => specs),
    { engine, signal, onProgress: (done) => onProgress(done * COMPOSED_SHARE) },
  );
  for (const [index, { finish }] of planned.entries()) {
    await finish?.();
    onProgress(COMPOSED_SHARE + ((1 - COMPOSED_SHARE) * (index + 1)) / planned.length);
  }
  const entries = planned.map(async ({ output, specs: [first], files }) => {
    const { width, height } = (first && made.get(first.path)) ?? output;
    return [output.name, { width, height, sizeBytes: await sizeOf(files) }] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Writes the engine's files; returns their sizes by path. */
async function renderFiles(
  timeline: Timeline,
  specs: readonly OutputSpec[],
  { engine, signal, onProgress }: Pick<OutputsCall, 'signal' | 'onProgress'> & Pick<RenderContext, 'engine'>,
): Promise<Map<string, FrameSize>> {
  const sizes = new Map<string, FrameSize>();
  const document = Buffer.from(JSON.stringify(timeline));
  const batches = batchSpecs(specs);
  for (const [index, batch] of batches.entries()) {
    const frames = Math.max(1, Math.max(...batch.map(({ end }) => end)) - Math.min(...batch.map(({ first }) => first)));
    const made = await engine.renderOutputs(document, batch, {
      signal,
      onProgress: (done) => onProgress((index + Math.min(1, done / frames)) / batches.length),
    });
    for (const { path, width, height } of made.outputs) sizes.set(path, { width, height });
  }
  return sizes;
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
