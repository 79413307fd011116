import { rm } from 'node:fs/promises';
import { formatProblem } from '../errors/index.js';
import type { Cue } from '../graphics/index.js';
import { type Movie, type Output, primaryOutput } from '../script/index.js';
import { compileAudio, type EncodeSettings, type Timeline } from '../timeline/index.js';
import { allOrAbort } from './all-or-abort.js';
import { renderAudio, renderMix } from './encode/render-audio.js';
import { type EncodedVideo, renderVideo } from './encode/render-video.js';
import { SegmentCache } from './encode/segment-cache.js';
import { stitchOutput } from './encode/stitch-output.js';
import { divideOutputs, neededStreams, type OutputFiles } from './outputs/output-files.js';
import { describeFiles, type OutputFile, renderOutputs, writeCaptions } from './outputs/render-outputs.js';
import type { PurchaseHooks } from './plan/offers.js';
import { drawAndCompile } from './plan/plan-movie.js';
import { type ResolvedMovie, resolveMovie } from './plan/resolve-movie.js';
import { isAudioUncached } from './plan/uncached.js';
import type { ProgressListener } from './progress.js';
import { createProgress, createVideoAudioProgress, type Progress } from './progress.js';
import type { RenderContext } from './render-context.js';
import { type RenderProfile, timed } from './render-profile.js';

/** One movie to render. */
export interface RenderRequest extends PurchaseHooks {
  script: unknown;
  /** Existing folder for temporary files; the caller deletes it. */
  workDir: string;
  /** Path of the primary output, which appears atomically; other outputs of the script are written beside it. */
  outputPath: string;
  /** Paths of outputs that are written elsewhere, by output name. */
  outputPaths?: ReadonlyMap<string, string>;
  signal: AbortSignal;
  onProgress: ProgressListener;
  /** Called once when all lengths are known, before the first frame; a rejection ends the render. */
  onPlanned?: (plan: { durationSeconds: number; credits: number }) => Promise<void>;
  encode?: Partial<EncodeSettings>;
  /** Replaces the outputs of the script, for a placeholder of the movie that has them. */
  outputs?: readonly Output[];
  /** Receives timings; absent: nothing is measured. */
  profile?: RenderProfile;
}

/** Properties of a finished movie; size and frames are those of the primary output. */
export interface RenderOutput {
  durationSeconds: number;
  sizeBytes: number;
  frames: number;
  width: number;
  height: number;
  warnings: string[];
  /** Of the video that is encoded in segments; empty if there is none. */
  encoder: string;
  /** All files of a movie with `outputs`, in the script's order; absent for other movies. */
  outputs?: OutputFile[];
}

/** What a render makes before it muxes. */
interface Streams {
  /** Absent if only sound is delivered. */
  timeline?: Timeline;
  video?: EncodedVideo;
  captions?: readonly Cue[];
  /** Packets of the main video's sound. */
  audioPath?: string;
  /** Mix for the sound of other outputs. */
  mixPath?: string;
  warnings: string[];
}

/** Renders one job from script to output files. Audio is encoded in parallel with drawing and video. */
export async function renderMovie(request: RenderRequest, parts: RenderContext): Promise<RenderOutput> {
  const { profile } = request;
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const resolved = await resolveMovie(request, parts, progress.within(0, 0.05));
  const { movie, durationSeconds, credits } = resolved;
  await request.onPlanned?.({ durationSeconds, credits });

  const files = divideOutputs(movie, request.outputPath, request.outputPaths);
  const reuse = new SegmentCache(parts);
  const sound = compileAudio({ ...resolved, ...resolved.settings });
  const streams = await encodeStreams(resolved, { request, parts, sound, files, reuse, progress }).finally(() => reuse.flush());

  progress.stage('stitching');
  const { canvas } = sound;
  const movieSeconds = (canvas.frames * canvas.fps.den) / canvas.fps.num;
  const mainPath = files?.main === undefined ? request.outputPath : (files.paths.get(files.main.name) ?? request.outputPath);
  let { video } = streams;
  const stitch = ({ segmentPaths }: EncodedVideo) =>
    timed(profile, 'stitch', () =>
      stitchOutput(
        { segmentPaths, ...(streams.audioPath !== undefined && { audioPath: streams.audioPath }) },
        { ...request, outputPath: mainPath },
        parts.engine,
      ),
    );
  const stitched =
    video &&
    (await stitch(video).catch(async (error) => {
      if (video?.replaceEncoder === undefined) throw error;
      video = await video.replaceEncoder(error).finally(() => reuse.flush());
      return stitch(video);
    }));
  const outputs = files && (await finishOutputs(movie, files, { request, parts, sound, streams, progress }));
  progress.finish();
  const primary = outputs && primaryOutput(outputs);
  return {
    durationSeconds: stitched?.durationSeconds ?? movieSeconds,
    sizeBytes: primary?.sizeBytes ?? stitched?.bytes ?? 0,
    frames: canvas.frames,
    width: movie.width,
    height: movie.height,
    warnings: [...streams.warnings, ...(video?.warnings ?? [])],
    encoder: video?.encoder ?? '',
    ...(outputs !== undefined && { outputs }),
  };
}

interface FinishCall {
  request: RenderRequest;
  parts: RenderContext;
  sound: Timeline;
  streams: Streams;
  progress: Progress;
}

/** Makes the outputs beside the main video; removes the files of this render when one of them fails. */
async function finishOutputs(movie: Movie, files: OutputFiles, { request, parts, sound, streams, progress }: FinishCall): Promise<OutputFile[]> {
  const { others, captions, paths } = files;
  const onProgress = progress.within(files.main === undefined ? DRAWING_SHARE : VIDEO_SHARE_BESIDE_OUTPUTS, 0.97);
  const written: string[] = files.main === undefined ? [] : [paths.get(files.main.name) ?? request.outputPath];
  const onWritten = (path: string): void => void written.push(path);
  try {
    const { captions: cues = [], mixPath } = streams;
    const call = { outputs: others, paths, mixPath, captions: cues, workDir: request.workDir, signal: request.signal, onProgress, onWritten };
    const made = await timed(request.profile, 'outputs', () => renderOutputs(streams.timeline ?? sound, call, parts));
    await writeCaptions(cues, { outputs: captions, paths, onWritten }, { ...sound.canvas, width: movie.width, height: movie.height });
    return await describeFiles(movie.outputs, { paths, made }, sound);
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true, recursive: true })));
    throw error;
  }
}

/** End of the main video in the progress of a movie that has other outputs, too. */
const VIDEO_SHARE_BESIDE_OUTPUTS = 0.5;
/** End of drawing in the progress of a movie without a main video. */
const DRAWING_SHARE = 0.1;

interface EncodeCall {
  request: RenderRequest;
  parts: RenderContext;
  sound: Timeline;
  files: OutputFiles | undefined;
  reuse: SegmentCache;
  progress: Progress;
}

/** Draws the movie and encodes the main video and its sound; mixes the sound of other outputs. */
async function encodeStreams(resolved: ResolvedMovie, { request, parts, sound, files, reuse, progress }: EncodeCall): Promise<Streams> {
  const { workDir, profile } = request;
  const hasSound = sound.audio.length > 0;
  const needs = neededStreams(files, hasSound);
  const endWithOthers = needs.video ? VIDEO_SHARE_BESIDE_OUTPUTS : DRAWING_SHARE;
  const to = files === undefined || files.others.length === 0 ? 0.97 : endWithOthers;
  const { onVideo, onAudio } = createVideoAudioProgress(progress, { from: 0.05, to, frames: sound.canvas.frames, hasSound });
  const [drawn, audio, mixed] = await allOrAbort(request.signal, (signal) => {
    const call = { workDir, signal, ...(profile && { profile }), reuse, parts };
    const drawAndRender = async (): Promise<Pick<Streams, 'timeline' | 'video' | 'captions' | 'warnings'>> => {
      const plan = await drawAndCompile(resolved, { ...request, signal }, parts);
      const warnings = plan.warnings.map(formatProblem);
      return {
        timeline: plan.timeline,
        captions: plan.captions,
        warnings,
        ...(needs.video && { video: await renderVideo(plan, { ...call, onProgress: onVideo }) }),
      };
    };
    return [
      needs.drawing ? drawAndRender() : undefined,
      needs.videoSound ? renderAudio(sound, { ...call, mayReuse: !isAudioUncached(resolved.movie), onProgress: onAudio }) : undefined,
      needs.mix ? renderMix(sound, { ...call, onProgress: needs.videoSound ? () => {} : onAudio }) : undefined,
    ];
  });
  const audioWarnings = audio?.warnings ?? mixed?.warnings ?? [];
  return {
    ...drawn,
    ...(audio !== undefined && { audioPath: audio.path }),
    ...(mixed !== undefined && { mixPath: mixed.path }),
    warnings: [...(drawn?.warnings ?? []), ...audioWarnings],
  };
}
