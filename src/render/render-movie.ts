import type { Composition } from '../engine/index.js';
import { formatProblem } from '../errors/index.js';
import type { Cue } from '../graphics/index.js';
import { type Movie, type Output, primaryOutput } from '../script/index.js';
import { compileAudio, type EncodeSettings, type Timeline } from '../timeline/index.js';
import { allOrAbort } from './all-or-abort.js';
import { renderAudio, renderMix } from './encode/render-audio.js';
import { renderVideo, type VideoCall } from './encode/render-video.js';
import { SegmentCache } from './encode/segment-cache.js';
import type { ComposedSegments } from './outputs/batch-outputs.js';
import type { SegmentedOutput } from './outputs/mux-videos.js';
import { divideOutputs, neededStreams, type OutputFiles, sharesFrames } from './outputs/output-files.js';
import { type OutputFile, renderOutputs } from './outputs/render-outputs.js';
import { missingSegments, planVideos, type SegmentedVideo, soundBitrates } from './outputs/segmented-videos.js';
import { removeOnFailure, type WrittenFiles, writeFiles } from './outputs/write-files.js';
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

/** What a render makes before its files. */
interface Streams {
  /** Absent if only sound is delivered. */
  timeline?: Timeline;
  videos: readonly SegmentedVideo[];
  /** Segments of the videos; absent where they are composed together with other outputs. */
  encoded?: readonly SegmentedOutput[];
  captions: readonly Cue[];
  /** Packets of the sound of videos, by bits per second. */
  audioPaths: ReadonlyMap<number, string>;
  /** Mix for the sound of other outputs. */
  mixPath?: string;
  warnings: readonly string[];
}

/** What the steps of one render share. */
interface Call {
  request: RenderRequest;
  parts: RenderContext;
  resolved: ResolvedMovie;
  sound: Timeline;
  files: OutputFiles | undefined;
  reuse: SegmentCache;
  progress: Progress;
}

/** Renders one job from script to output files. */
export async function renderMovie(request: RenderRequest, parts: RenderContext): Promise<RenderOutput> {
  const progress = createProgress(request.onProgress);
  progress.stage('preparing');
  const resolved = await resolveMovie(request, parts, progress.within(0, 0.05));
  const { durationSeconds, credits } = resolved;
  await request.onPlanned?.({ durationSeconds, credits });
  return renderResolved(resolved, request, { parts, progress });
}

/** Renders a movie whose files are at hand. Audio is encoded in parallel with drawing and, where it is composed alone, video. */
export async function renderResolved(
  resolved: ResolvedMovie,
  request: RenderRequest,
  { parts, progress }: { parts: RenderContext; progress: Progress },
): Promise<RenderOutput> {
  const { movie } = resolved;
  const files = divideOutputs(movie, request.outputPath, request.outputPaths);
  const reuse = new SegmentCache(parts);
  const sound = compileAudio({ ...resolved, ...resolved.settings });
  const call: Call = { request, parts, resolved, sound, files, reuse, progress };
  const { written, warnings } = await removeOnFailure(async (onWritten) => {
    const streams = await makeStreams(call);
    const { made, segments } = await composeOutputs(call, streams, onWritten);
    const encoded = streams.encoded ?? (await encodeVideos(streams.videos, call, segments));
    progress.stage('stitching');
    return { written: await writeFiles({ ...streams, encoded, made }, { ...call, movie, onWritten }), warnings: streams.warnings };
  }).finally(() => reuse.flush());
  progress.finish();
  return describeRender(written, { movie, sound, warnings });
}

/** Describes a finished movie by its files. */
export function describeRender(
  { muxed, outputs }: WrittenFiles,
  { movie, sound, warnings }: { movie: Pick<Movie, 'width' | 'height'>; sound: Pick<Timeline, 'canvas'>; warnings: readonly string[] },
): RenderOutput {
  const { frames, fps } = sound.canvas;
  const primary = outputs && primaryOutput(outputs);
  const [main] = muxed;
  return {
    durationSeconds: main?.durationSeconds ?? (frames * fps.den) / fps.num,
    sizeBytes: primary?.sizeBytes ?? main?.bytes ?? 0,
    frames,
    width: movie.width,
    height: movie.height,
    warnings: [...new Set([...warnings, ...muxed.flatMap((video) => video.warnings)])],
    encoder: main?.encoder ?? '',
    ...(outputs !== undefined && { outputs }),
  };
}

/** End of the videos in the progress of a movie whose other outputs are composed after them. */
const VIDEO_SHARE_BESIDE_OUTPUTS = 0.5;
/** End of drawing in the progress of a movie whose videos are not encoded before other outputs. */
const DRAWING_SHARE = 0.1;
/** End of a composition for videos and other outputs, after which the rest of the videos is encoded. */
const SHARED_SHARE = 0.9;
const STITCHING_SHARE = 0.97;

/** Writes the outputs that are not encoded in segments, and those segments that show the same frames. */
async function composeOutputs(
  { files, parts, request, sound, progress, reuse }: Call,
  { timeline = sound, videos, encoded, captions, mixPath }: Streams,
  onWritten: (path: string) => void,
): ReturnType<typeof renderOutputs> {
  const isShared = encoded === undefined && videos.length > 0;
  if (files === undefined || (files.others.length === 0 && !isShared)) return { made: new Map(), segments: new Map() };
  const { workDir, signal, profile } = request;
  const from = encoded === undefined ? DRAWING_SHARE : VIDEO_SHARE_BESIDE_OUTPUTS;
  const report = progress.within(from, isShared ? SHARED_SHARE : STITCHING_SHARE);
  const onProgress = (done: number): void => {
    if (isShared) progress.stage(`rendering_${sectionAt(timeline, done)}`);
    report(done);
  };
  const missing = isShared ? await missingSegments(videos, workDir, reuse) : [];
  const onComposed = (composition: Composition): void => {
    profile?.addComposition(composition);
    // Segments report a failure of their own.
    if (composition.deviceFailure !== undefined && missing.length === 0) parts.onDeviceFailure?.(composition.deviceFailure);
  };
  const call = { outputs: files.others, videos: missing, paths: files.paths, mixPath, captions, workDir, signal, onProgress, onWritten, onComposed };
  return timed(profile, 'outputs', () => renderOutputs(timeline, call, parts));
}

/** Label of the section that a composition has reached; `done` is 0..1 of all frames. */
function sectionAt({ canvas, sections }: Timeline, done: number): string {
  const frame = Math.min(canvas.frames - 1, Math.floor(done * canvas.frames));
  return sections.findLast(({ start }) => start <= frame)?.label ?? '';
}

/** Encodes all videos one after the other. */
async function encodeVideos(
  videos: readonly SegmentedVideo[],
  { request, parts, reuse, progress }: Call,
  composed: ComposedSegments,
): Promise<SegmentedOutput[]> {
  const { workDir, signal, profile } = request;
  const encoded: SegmentedOutput[] = [];
  for (const [index, { outputs, plan }] of videos.entries()) {
    const share = (STITCHING_SHARE - SHARED_SHARE) / videos.length;
    const report = progress.within(SHARED_SHARE + index * share, SHARED_SHARE + (index + 1) * share);
    const onProgress = (stage: string, done: number): void => {
      progress.stage(stage);
      report(done);
    };
    const video = await renderVideo(plan, { workDir, signal, ...(profile && { profile }), reuse, parts, composed, onProgress });
    encoded.push({ outputs, encoded: video });
  }
  return encoded;
}

/** Draws the movie and encodes its sound; encodes the video, too, unless other outputs show the same frames. */
async function makeStreams(call: Call): Promise<Streams> {
  const { request, parts, resolved, sound, files, reuse, progress } = call;
  const { workDir, profile } = request;
  const hasSound = sound.audio.length > 0;
  const needs = neededStreams(files, hasSound);
  const isShared = sharesFrames(files);
  const endWithOthers = needs.video && !isShared ? VIDEO_SHARE_BESIDE_OUTPUTS : DRAWING_SHARE;
  const to = files === undefined || (files.others.length === 0 && !isShared) ? STITCHING_SHARE : endWithOthers;
  const { onVideo, onAudio } = createVideoAudioProgress(progress, { from: 0.05, to, frames: sound.canvas.frames, hasSound });
  const [drawn, audio, mixed] = await allOrAbort(request.signal, (signal) => {
    const encoding = { workDir, signal, ...(profile && { profile }), reuse, parts };
    const drawAndEncode = async (): Promise<Pick<Streams, 'timeline' | 'videos' | 'encoded' | 'captions' | 'warnings'>> => {
      const plan = await drawAndCompile(resolved, { ...request, signal }, parts);
      const videos = needs.video ? await planVideos(files, plan, parts) : [];
      const encoded = isShared ? undefined : await encodeAlone(videos, { ...encoding, onProgress: onVideo });
      const { timeline, captions } = plan;
      return { timeline, captions, videos, ...(encoded && { encoded }), warnings: plan.warnings.map(formatProblem) };
    };
    return [
      needs.drawing ? drawAndEncode() : undefined,
      encodeSounds(call, { ...encoding, mayReuse: !isAudioUncached(resolved.movie), onProgress: onAudio }),
      needs.mix ? renderMix(sound, { ...encoding, onProgress: needs.video ? () => {} : onAudio }) : undefined,
    ];
  });
  return {
    captions: [],
    videos: [],
    ...drawn,
    audioPaths: audio.paths,
    ...(mixed !== undefined && { mixPath: mixed.path }),
    warnings: [...(drawn?.warnings ?? []), ...(audio.paths.size > 0 ? audio : (mixed ?? audio)).warnings],
  };
}

/** Encodes the video of a movie that has at most one. */
async function encodeAlone([video]: readonly SegmentedVideo[], call: VideoCall): Promise<SegmentedOutput[]> {
  if (video === undefined) return [];
  const { outputs, plan } = video;
  return [{ outputs, encoded: await renderVideo(plan, call) }];
}

/** Encodes the sound of the videos, once for each bit rate. */
async function encodeSounds({ sound, files }: Call, call: Parameters<typeof renderAudio>[1]): Promise<{ paths: Map<number, string>; warnings: string[] }> {
  const paths = new Map<number, string>();
  const warnings = new Set<string>();
  if (sound.audio.length === 0) return { paths, warnings: [] };
  for (const bitrate of soundBitrates(files, sound.encode)) {
    const audio = await renderAudio({ ...sound, encode: { ...sound.encode, audioBitrate: bitrate } }, call);
    paths.set(bitrate, audio.path);
    for (const warning of audio.warnings) warnings.add(warning);
  }
  return { paths, warnings: [...warnings] };
}
