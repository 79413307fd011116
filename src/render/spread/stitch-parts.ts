import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedStitch } from '../../jobs/index.js';
import { stitchOutput } from '../encode/stitch-output.js';
import type { RenderOutput } from '../render-movie.js';
import type { RenderParts } from '../render-parts.js';
import { type StagedRequest, takeStaged } from './render-part.js';

/** Puts packets that came from whatever hosts into one file. What the layout knows of the movie is not repeated. */
export async function stitchParts(request: StagedRequest, parts: Pick<RenderParts, 'engine'>): Promise<RenderOutput> {
  request.onProgress(0.97, 'stitching');
  const folder = await takeStaged(request);
  const { segments, audio } = JSON.parse(await readFile(join(folder, 'stitch.json'), 'utf8')) as StagedStitch;
  const packets = { segmentPaths: segments.map((name) => join(folder, name)), ...(audio !== undefined && { audioPath: join(folder, audio) }) };
  const { durationSeconds, bytes, frames } = await stitchOutput(packets, request, parts.engine);
  request.onProgress(1, 'complete');
  return { durationSeconds, sizeBytes: bytes, frames, width: 0, height: 0, warnings: [], encoder: '' };
}
