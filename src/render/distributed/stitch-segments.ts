import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedStitch } from '../../jobs/index.js';
import type { EncoderName } from '../../timeline/index.js';
import { stitchOutput } from '../encode/stitch-output.js';
import type { RenderContext } from '../render-context.js';
import type { RenderOutput } from '../render-movie.js';
import { finishOutputs } from './finish-outputs.js';
import { adoptStagedFolder, reportEncoderFailure, type StagedRequest } from './render-segment.js';

/** Muxes the segments of a distributed movie into the output file, or makes all files of its outputs. Size, warnings and encoder of a movie without `outputs` are left empty: the layout has them. */
export async function stitchDistributed(request: StagedRequest, parts: RenderContext): Promise<RenderOutput> {
  request.onProgress(0.97, 'stitching');
  const folder = await adoptStagedFolder(request);
  const { encoder, segments, audio, finish } = JSON.parse(await readFile(join(folder, 'stitch.json'), 'utf8')) as StagedStitch;
  const reportFailure = (error: unknown): never => {
    reportEncoderFailure(error, encoder as EncoderName, request);
    throw error;
  };
  if (finish !== undefined) return finishOutputs(request, folder, { encoder, finish }, parts).catch(reportFailure);
  const packets = { segmentPaths: segments.map((name) => join(folder, name)), ...(audio !== undefined && { audioPath: join(folder, audio) }) };
  const { durationSeconds, bytes, frames } = await stitchOutput(packets, request, parts.engine).catch(reportFailure);
  request.onProgress(1, 'complete');
  return { durationSeconds, sizeBytes: bytes, frames, width: 0, height: 0, warnings: [], encoder: '' };
}
