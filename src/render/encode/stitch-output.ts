import { rm } from 'node:fs/promises';
import type { Engine, OutputFacts } from '../../engine/index.js';
import type { EncodedParts } from './render-segments.js';

/** Joins segments and sound into the output file, then lets go of the parts. */
export async function stitchOutput(
  parts: Pick<EncodedParts, 'segmentPaths' | 'audioPath'>,
  request: { outputPath: string; signal: AbortSignal },
  engine: Engine,
): Promise<OutputFacts> {
  const { segmentPaths, audioPath } = parts;
  const sound = audioPath === undefined ? {} : { audioPath };
  const output = await engine.stitch({ segmentPaths, ...sound, outputPath: request.outputPath }, { signal: request.signal });
  const temporary = audioPath === undefined ? segmentPaths : [...segmentPaths, audioPath];
  await Promise.all(temporary.map((path) => rm(path, { force: true })));
  return output;
}
