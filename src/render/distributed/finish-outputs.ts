import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cue } from '../../graphics/index.js';
import type { StagedStitch } from '../../jobs/index.js';
import { cutAudio, type EncodeSettings, type Timeline } from '../../timeline/index.js';
import { renderMix } from '../encode/render-audio.js';
import { SegmentCache } from '../encode/segment-cache.js';
import type { SegmentedOutput } from '../outputs/mux-videos.js';
import { divideOutputs, groupBySegments, type MovieOutputs, neededStreams } from '../outputs/output-files.js';
import { renderOutputs } from '../outputs/render-outputs.js';
import { removeOnFailure, writeFiles } from '../outputs/write-files.js';
import { createProgress } from '../progress.js';
import type { RenderContext } from '../render-context.js';
import { describeRender, type RenderOutput } from '../render-movie.js';
import type { StagedRequest } from './render-segment.js';

/** Name of the file in the job's folder that holds a FinishDocument. */
export const FINISH_DOCUMENT = 'finish.json';

/** What the last step of a distributed movie with `outputs` needs; sources of the timeline are names of files. */
export interface FinishDocument {
  movie: MovieOutputs;
  timeline: Timeline;
  captions: readonly Cue[];
}

/** Progress of the segments, which are done. */
const SEGMENTS_SHARE = 0.97;

/** Makes the files of a distributed movie with `outputs`: muxes the segments in `folder`, and writes the outputs that have none. */
export async function finishOutputs(
  request: StagedRequest,
  folder: string,
  { encoder, finish }: Pick<StagedStitch, 'encoder'> & Required<Pick<StagedStitch, 'finish'>>,
  parts: RenderContext,
): Promise<RenderOutput> {
  const { movie, timeline: document, captions } = JSON.parse(await readFile(join(folder, finish.document), 'utf8')) as FinishDocument;
  const timeline: Timeline = { ...document, sources: document.sources.map((source) => ({ ...source, path: join(folder, source.path) })) };
  const files = divideOutputs(movie, request.outputPath);
  if (files === undefined) throw new Error('the movie has no outputs');
  const progress = createProgress(request.onProgress);
  progress.stage('stitching');
  const onProgress = progress.within(SEGMENTS_SHARE, 1);
  const { workDir, signal } = request;
  const sound = cutAudio(timeline);
  const reuse = new SegmentCache(parts);
  const mix = neededStreams(files, sound.audio.length > 0).mix ? await renderMix(sound, { workDir, signal, parts, onProgress: () => {} }) : undefined;
  const groups = groupBySegments(files);
  const encoded = finish.videos.map(({ video, segments }): SegmentedOutput => {
    const outputs = groups.find(([{ name }]) => name === video) ?? [];
    const segmentPaths = segments.map((name) => join(folder, name));
    return { outputs, encoded: { segmentPaths, encoder: encoder as EncodeSettings['encoder'], warnings: [] } };
  });
  const audioPaths = new Map(finish.sounds.map(({ bitrate, path }) => [bitrate, join(folder, path)]));
  const written = await removeOnFailure(async (onWritten) => {
    const call = { outputs: files.others, paths: files.paths, mixPath: mix?.path, captions, workDir, signal, onProgress, onWritten };
    const { made } = await renderOutputs(timeline, call, parts);
    return writeFiles({ encoded, made, captions, audioPaths, mixPath: mix?.path }, { request, parts, files, sound, movie, reuse, onWritten });
  });
  progress.finish();
  return describeRender(written, { movie, sound, warnings: mix?.warnings ?? [] });
}
