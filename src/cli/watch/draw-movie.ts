import { AppError, formatProblem } from '../../errors/index.js';
import type { LocalParts } from '../local-parts.js';

/** Result of a render or of a single frame. */
export interface Drawn {
  /** One line for people. */
  text: string;
  /** The same as JSON fields. */
  fields: Readonly<Record<string, number>>;
  warnings: string[];
}

/** What to draw and where to write it. */
export interface DrawRequest {
  script: unknown;
  workDir: string;
  outputPath: string;
  signal: AbortSignal;
  onProgress: (progress: number, stage: string, frames?: number) => void;
}

/** Renders the whole movie. */
export async function renderVideo(request: DrawRequest, parts: LocalParts): Promise<Drawn> {
  const { renderMovie } = await import('../../render/index.js');
  let scenes = 0;
  let drawnScenes = 0;
  const onSegmentCache: LocalParts['onSegmentCache'] = ({ part, result }) => {
    if (part !== 'picture') return;
    scenes += 1;
    if (result === 'miss') drawnScenes += 1;
  };
  const { durationSeconds, warnings, frames } = await renderMovie(request, { ...parts, onSegmentCache });
  return {
    text: `${durationSeconds.toFixed(2)} s, ${drawnScenes} of ${scenes} ${scenes === 1 ? 'scene' : 'scenes'} drawn`,
    fields: { duration_seconds: durationSeconds, frames, scenes, scenes_drawn: drawnScenes },
    warnings,
  };
}

/** Draws the frame at the time `at`, in seconds. */
export async function drawFrame(request: DrawRequest & { at: number }, { encoders: _, ...parts }: LocalParts): Promise<Drawn> {
  const { planMovie } = await import('../../render/index.js');
  const { script, workDir, signal, outputPath, at } = request;
  const { timeline, durationSeconds, warnings } = await planMovie({ script, workDir, signal }, parts);
  const { fps, frames } = timeline.canvas;
  // The offset accepts rounded frame times, e.g. 0.033 for the second frame at 30 fps.
  const index = Math.floor((at * fps.num) / fps.den + 0.02);
  if (index >= frames) throw new AppError('INVALID_REQUEST', { message: `${at} s is past the end: the movie lasts ${durationSeconds} s.` });
  await parts.engine.writeFrame(Buffer.from(JSON.stringify(timeline)), index, outputPath, { signal });
  return { text: `frame ${index} of ${frames}`, fields: { frame: index, frames }, warnings: warnings.map(formatProblem) };
}
