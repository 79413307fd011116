import { stat, writeFile } from 'node:fs/promises';
import { type Cue, formatCaptions } from '../../graphics/index.js';
import { type Output, outputFormats, outputRange } from '../../script/index.js';
import type { Timeline } from '../../timeline/index.js';
import { hashFile } from '../assets/index.js';
import type { RenderContext } from '../render-context.js';
import { outputFrames, outputSpec } from './output-spec.js';
import { choosePosterFrame } from './poster-frame.js';

/** A finished file of a movie. */
export interface OutputFile {
  name: string;
  format: Output['format'];
  path: string;
  mimeType: string;
  sizeBytes: number;
  /** Pixels; absent for audio and captions. */
  width?: number;
  height?: number;
  /** Absent for stills. */
  durationSeconds?: number;
  /** In hex. */
  sha256: string;
}

interface OutputsCall {
  outputs: readonly Output[];
  /** By output name. */
  paths: ReadonlyMap<string, string>;
  /** The movie's mix; absent for a silent movie. */
  mixPath?: string | undefined;
  signal: AbortSignal;
  /** Called with the finished part, 0..1. */
  onProgress: (done: number) => void;
  /** Called with the path of every file that exists now. */
  onWritten: (path: string) => void;
}

/** In pixels; smaller than the output's where `max_bytes` made it so, 0 for audio. */
interface FrameSize {
  width: number;
  height: number;
}

/** Pixels of a frame of all outputs that are encoded at once: four Full HD videos, or one in 4K. Each encoder keeps dozens of frames. */
const MAX_PIXELS_AT_ONCE = 3840 * 2160;

/** Memory of a still's encoder, as a share of that of a video. */
const STILL_SHARE = 0.25;

/** Makes files from one composition of the timeline, or from several where their encoders would need too much memory. Each file appears complete or not at all. Returns their sizes by output name. */
export async function renderOutputs(timeline: Timeline, call: OutputsCall, { engine }: Pick<RenderContext, 'engine'>): Promise<Map<string, FrameSize>> {
  const { outputs, paths, mixPath, signal, onProgress, onWritten } = call;
  const sizes = new Map<string, FrameSize>();
  if (outputs.length === 0) return sizes;
  const posterFrame = outputs.some(isPoster) ? await choosePosterFrame(timeline, engine, signal) : 0;
  const document = Buffer.from(JSON.stringify(timeline));
  const batches = batchOutputs(outputs);
  for (const [index, batch] of batches.entries()) {
    const specs = batch.map((output) => {
      const spec = outputSpec(output, pathOf(output, paths), timeline.canvas, mixPath);
      return isPoster(output) ? { ...spec, first: posterFrame, end: posterFrame + 1 } : spec;
    });
    const frames = Math.max(1, Math.max(...specs.map(({ end }) => end)) - Math.min(...specs.map(({ first }) => first)));
    const made = await engine.renderOutputs(document, specs, {
      signal,
      onProgress: (done) => onProgress((index + Math.min(1, done / frames)) / batches.length),
    });
    for (const [k, { name }] of batch.entries()) {
      const { path, width, height } = made.outputs[k] ?? { path: '', width: 0, height: 0 };
      onWritten(path);
      sizes.set(name, { width, height });
    }
  }
  return sizes;
}

/** Divides outputs into groups that are encoded one after the other. */
export function batchOutputs(outputs: readonly Output[]): Output[][] {
  const batches: Output[][] = [];
  let pixels = 0;
  for (const output of outputs) {
    const { kind } = outputFormats[output.format];
    const share = { video: 1, animation: 1, still: STILL_SHARE, audio: 0, captions: 0 }[kind];
    const own = share * output.width * output.height;
    if (batches.length === 0 || (pixels > 0 && pixels + own > MAX_PIXELS_AT_ONCE)) {
      batches.push([]);
      pixels = 0;
    }
    batches.at(-1)?.push(output);
    pixels += own;
  }
  return batches;
}

const isPoster = ({ format }: Output): boolean => format === 'poster';

/** Writes caption files. Their times count from the start of each output's range. */
export async function writeCaptions(
  cues: readonly Cue[],
  { outputs, paths, onWritten }: Pick<OutputsCall, 'outputs' | 'paths' | 'onWritten'>,
  movieSeconds: number,
): Promise<void> {
  for (const output of outputs) {
    const path = pathOf(output, paths);
    onWritten(path);
    await writeFile(path, formatCaptions(cues, output.format as 'srt' | 'vtt', outputRange(output, movieSeconds)));
  }
}

/** Describes the finished files, in the order of the outputs; one whose size is not known has the output's. */
export function describeFiles(
  outputs: readonly Output[],
  { paths, sizes }: { paths: ReadonlyMap<string, string>; sizes: ReadonlyMap<string, FrameSize> },
  { canvas }: Pick<Timeline, 'canvas'>,
): Promise<OutputFile[]> {
  return Promise.all(
    outputs.map(async (output) => {
      const { name, format } = output;
      const { width, height } = sizes.get(name) ?? output;
      const { kind, mimeType } = outputFormats[format];
      const path = pathOf(output, paths);
      const [{ size }, sha256] = await Promise.all([stat(path), hashFile(path)]);
      const { first, end } = outputFrames(output, canvas);
      const durationSeconds = ((end - first) * canvas.fps.den) / canvas.fps.num;
      return {
        name,
        format,
        path,
        mimeType,
        sizeBytes: size,
        ...(kind !== 'audio' && kind !== 'captions' && { width, height }),
        ...(kind !== 'still' && { durationSeconds }),
        sha256,
      };
    }),
  );
}

function pathOf({ name }: Output, paths: ReadonlyMap<string, string>): string {
  const path = paths.get(name);
  if (path === undefined) throw new Error(`no path for the output ${name}`);
  return path;
}
