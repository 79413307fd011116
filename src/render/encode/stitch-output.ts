import { rm } from 'node:fs/promises';
import type { Engine, StitchResult } from '../../engine/index.js';

/** Packets to mux. */
interface EncodedStreams {
  segmentPaths: string[];
  /** Absent for a movie without audio. */
  audioPath?: string;
}

/** Muxes segments and audio into the output file, then deletes the segments. */
export async function stitchOutput(
  { segmentPaths, audioPath }: EncodedStreams,
  request: { outputPath: string; signal: AbortSignal },
  engine: Engine,
): Promise<StitchResult> {
  const sound = audioPath === undefined ? {} : { audioPath };
  const output = await engine.stitch({ segmentPaths, ...sound, outputPath: request.outputPath }, { signal: request.signal });
  await removeSegments(segmentPaths);
  return output;
}

/** Deletes segments that are muxed. */
export async function removeSegments(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}
