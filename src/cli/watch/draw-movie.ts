import { AppError, formatProblem } from '../../errors/index.js';
import type { LocalParts } from '../local-parts.js';

export interface Drawn {
  /** For a line. */
  text: string;
  /** The same for programs. */
  facts: Readonly<Record<string, number>>;
  warnings: string[];
}

export interface DrawRequest {
  script: unknown;
  workDir: string;
  outputPath: string;
  signal: AbortSignal;
  onProgress: (progress: number, stage: string, frames?: number) => void;
}

export async function renderVideo(request: DrawRequest, parts: LocalParts): Promise<Drawn> {
  const { renderMovie } = await import('../../render/index.js');
  let scenes = 0;
  let anew = 0;
  const onReuse: LocalParts['onSegmentCache'] = ({ part, result }) => {
    if (part !== 'picture') return;
    scenes += 1;
    if (result === 'miss') anew += 1;
  };
  const { durationSeconds, warnings, frames } = await renderMovie(request, { ...parts, onSegmentCache: onReuse });
  return {
    text: `${durationSeconds.toFixed(2)} s, ${anew} of ${scenes} ${scenes === 1 ? 'scene' : 'scenes'} drawn`,
    facts: { duration_seconds: durationSeconds, frames, scenes, scenes_drawn: anew },
    warnings,
  };
}

/** The frame that is seen at an instant. */
export async function drawFrame(request: DrawRequest & { at: number }, { encoders: _, ...parts }: LocalParts): Promise<Drawn> {
  const { planMovie } = await import('../../render/index.js');
  const { script, workDir, signal, outputPath, at } = request;
  const { timeline, durationSeconds, warnings } = await planMovie({ script, workDir, signal }, parts);
  const { fps, frames } = timeline.canvas;
  // Tolerates the decimals of a frame's own time, e.g. 0.033 for the second frame at 30 fps.
  const index = Math.floor((at * fps.num) / fps.den + 0.02);
  if (index >= frames) throw new AppError('INVALID_REQUEST', { message: `${at} s is past the end: the movie lasts ${durationSeconds} s.` });
  await parts.engine.writeFrame(Buffer.from(JSON.stringify(timeline)), index, outputPath, { signal });
  return { text: `frame ${index} of ${frames}`, facts: { frame: index, frames }, warnings: warnings.map(formatProblem) };
}
