import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncoderFailure, StagedSegment } from '../../jobs/index.js';
import type { EncoderName, Timeline } from '../../timeline/index.js';
import { audioWarnings, encodeAudio } from '../encode/render-audio.js';
import { encodeSegment, fallbackReason, videoWarnings } from '../encode/render-video.js';
import type { RenderContext } from '../render-context.js';
import type { RenderOutput, RenderRequest } from '../render-movie.js';

/** A task of a distributed render. Its input is in `stagedDir`, which is moved into the job folder because the engine has no access elsewhere. */
export type StagedRequest = Pick<RenderRequest, 'workDir' | 'outputPath' | 'signal' | 'onProgress'> & {
  stagedDir: string;
  /** Called when a hardware encoder failed and another encoder could render the segment. */
  onEncoderLost?: (encoder: EncoderFailure & { name: EncoderName }) => void;
};

/** Renders one segment or the audio of a distributed movie to `packets.nut`. */
export async function renderDistributedSegment(request: StagedRequest, parts: RenderContext): Promise<RenderOutput> {
  const folder = await adoptStagedFolder(request);
  const part = JSON.parse(await readFile(join(folder, 'part.json'), 'utf8')) as StagedSegment;
  const document = JSON.parse(await readFile(join(folder, part.document), 'utf8')) as Timeline;
  const timeline = { ...document, sources: document.sources.map((source) => ({ ...source, path: join(folder, source.path) })) };
  const path = join(request.workDir, 'packets.nut');
  const frames = part.range.end - part.range.first;
  const report = (done: number): void => request.onProgress(Math.min(1, done), part.stage);
  report(0);
  const { signal } = request;
  const encodeVideo = async (): Promise<{ bytes: number; warnings: string[] }> => {
    const onFrames = (done: number): void => report(done / frames);
    const segment = { timeline, range: part.range, ...(part.size && { size: part.size }) };
    const result = await encodeSegment(segment, path, { parts, signal, onFrames }).catch((error) => {
      reportEncoderFailure(error, timeline.encode.encoder, request);
      throw error;
    });
    return { bytes: result.bytes, warnings: videoWarnings(result) };
  };
  const encodeSound = async (): Promise<{ bytes: number; warnings: string[] }> => {
    const result = await encodeAudio(timeline, path, { parts, signal, onProgress: report });
    return { bytes: result.bytes, warnings: audioWarnings(result) };
  };
  const { bytes, warnings } = await (part.kind === 'picture' ? encodeVideo() : encodeSound());
  const { canvas, encode } = timeline;
  const durationSeconds = (frames * canvas.fps.den) / canvas.fps.num;
  return { durationSeconds, sizeBytes: bytes, frames, width: canvas.width, height: canvas.height, warnings, encoder: encode.encoder };
}

/** Calls `onEncoderLost` if the error is one that another encoder would not have. */
export function reportEncoderFailure(error: unknown, name: EncoderName, { onEncoderLost }: Pick<StagedRequest, 'onEncoderLost'>): void {
  const reason = fallbackReason(error, name);
  if (reason !== undefined) onEncoderLost?.({ name, reason });
}

/** Moves the staged input into the job folder and returns its new path. */
export async function adoptStagedFolder({ workDir, stagedDir }: Pick<StagedRequest, 'workDir' | 'stagedDir'>): Promise<string> {
  const folder = join(workDir, 'staged');
  await rename(stagedDir, folder);
  return folder;
}
