import { formatProblem } from '../errors/index.js';
import { compileAudio, type EncodeSettings } from '../timeline/index.js';
import { allOrAbort } from './all-or-abort.js';
import { renderAudio } from './encode/render-audio.js';
import { renderVideo } from './encode/render-video.js';
import { SegmentCache } from './encode/segment-cache.js';
import { stitchOutput } from './encode/stitch-output.js';
import type { PurchaseHooks } from './plan/offers.js';
import { drawAndCompile } from './plan/plan-movie.js';
import { resolveMovie } from './plan/resolve-movie.js';
import { isAudioUncached } from './plan/uncached.js';
import type { ProgressListener } from './progress.js';
import { createProgress, createVideoAudioProgress } from './progress.js';
import type { RenderContext } from './render-context.js';
import { type RenderProfile, timed } from './render-profile.js';

/** One movie to render. */
export interface RenderRequest extends PurchaseHooks {
  script: unknown;
  /** Existing folder for temporary files; the caller deletes it. */
  workDir: string;
  /** Path of the output file, which appears atomically. */
  outputPath: string;
  signal: AbortSignal;
  onProgress: ProgressListener;
  /** Called once when all lengths are known, before the first frame; a rejection ends the render. */
  onPlanned?: (plan: { durationSeconds: number; credits: number }) => Promise<void>;
  encode?: Partial<EncodeSettings>;
  /** Receives timings; absent: nothing is measured. */
  profile?: RenderProfile;
}

/** Properties of a finished output file. */
export interface RenderOutput {
  durationSeconds: number;
  sizeBytes: number;
  frames: number;
  width: number;
  height: number;
  warnings: string[];
  encoder: string;
}

/** Renders one job from script to output file. Audio is encoded in parallel with drawing and video. */
export async function renderMovie(request: RenderRequest, parts: RenderContext): Promise<RenderOutput> {
  const { workDir, profile } = request;
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const resolved = await resolveMovie(request, parts, progress.within(0, 0.05));
  const { movie, durationSeconds, credits } = resolved;
  await request.onPlanned?.({ durationSeconds, credits });

  const sound = compileAudio({ ...resolved, ...resolved.settings });
  const hasSound = sound.audio.length > 0;
  const { onVideo, onAudio } = createVideoAudioProgress(progress, { from: 0.05, to: 0.97, frames: sound.canvas.frames, hasSound });
  const reuse = new SegmentCache(parts);
  const [encoded, audio] = await allOrAbort(request.signal, (signal) => {
    const call = { workDir, signal, ...(profile && { profile }), reuse, parts };
    const drawAndRender = async () => {
      const plan = await drawAndCompile(resolved, { ...request, signal }, parts);
      return { warnings: plan.warnings.map(formatProblem), video: await renderVideo(plan, { ...call, onProgress: onVideo }) };
    };
    return [drawAndRender(), hasSound ? renderAudio(sound, { ...call, mayReuse: !isAudioUncached(movie), onProgress: onAudio }) : undefined];
  }).finally(() => reuse.flush());

  progress.stage('stitching');
  const stitch = ({ segmentPaths }: { segmentPaths: string[] }) =>
    timed(profile, 'stitch', () => stitchOutput({ segmentPaths, ...(audio !== undefined && { audioPath: audio.path }) }, request, parts.engine));
  let { video } = encoded;
  const output = await stitch(video).catch(async (error) => {
    if (video.replaceEncoder === undefined) throw error;
    video = await video.replaceEncoder(error).finally(() => reuse.flush());
    return stitch(video);
  });
  progress.finish();
  return {
    durationSeconds: output.durationSeconds,
    sizeBytes: output.bytes,
    frames: output.frames,
    width: movie.width,
    height: movie.height,
    warnings: [...encoded.warnings, ...video.warnings, ...(audio?.warnings ?? [])],
    encoder: video.encoder,
  };
}
