import { rm } from 'node:fs/promises';
import type { Engine, OutputFacts } from '../../engine/index.js';

export interface EncodedParts {
  segmentPaths: string[];
  /** Absent when nothing is heard. */
  audioPath?: string;
}

/** Joins segments and sound into the output file, then lets go of the parts. */
export async function stitchOutput(
  { segmentPaths, audioPath }: EncodedParts,
  request: { outputPath: string; signal: AbortSignal },
  engine: Engine,
): Promise<OutputFacts> {
  const sound = audioPath === undefined ? {} : { audioPath };
  const output = await engine.stitch({ segmentPaths, ...sound, outputPath: request.outputPath }, { signal: request.signal });
  const temporary = audioPath === undefined ? segmentPaths : [...segmentPaths, audioPath];
  await Promise.all(temporary.map((path) => rm(path, { force: true })));
  return output;
}
