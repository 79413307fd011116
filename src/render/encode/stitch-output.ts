import { rm } from 'node:fs/promises';
import type { Engine, StitchResult } from '../../engine/index.js';

export interface EncodedStreams {
  segmentPaths: string[];
  /** Absent when nothing is heard. */
  audioPath?: string;
}

/** Joins segments and sound into the output file, then lets go of the parts. */
export async function stitchOutput(
  { segmentPaths, audioPath }: EncodedStreams,
  request: { outputPath: string; signal: AbortSignal },
  engine: Engine,
): Promise<StitchResult> {
  const sound = audioPath === undefined ? {} : { audioPath };
  const output = await engine.stitch({ segmentPaths, ...sound, outputPath: request.outputPath }, { signal: request.signal });
  const temporary = audioPath === undefined ? segmentPaths : [...segmentPaths, audioPath];
  await Promise.all(temporary.map((path) => rm(path, { force: true })));
  return output;
}
