import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineCodeOf, type SegmentResult } from '../../engine/index.js';
import { AppError } from '../../errors/index.js';
import { type EncodeSettings, isHardware } from '../../timeline/index.js';
import type { EncoderFallback, RenderContext } from '../render-context.js';
import type { RenderProfile } from '../render-profile.js';
import { startInOrder } from '../start-in-order.js';
import type { SegmentCache } from './segment-cache.js';
import { SegmentProgress } from './segment-progress.js';
import { composedPath, type Segment, type SizedSegment, segmentsOf, type VideoPlan } from './segments.js';

/** Context of one video encoding. */
export interface VideoCall {
  workDir: string;
  signal: AbortSignal;
  profile?: RenderProfile;
  reuse: SegmentCache;
  parts: Pick<RenderContext, 'engine' | 'onEncoder' | 'onFallback' | 'onDeviceFailure' | 'onFrameTransfer' | 'onDecode' | 'sessionRetryDelaysMs'>;
  /** Called with the stage and the finished part of the video, 0..1. */
  onProgress: (stage: string, done: number) => void;
  /** Segments that were encoded beside other outputs, by their composedPath(). */
  composed?: ReadonlyMap<string, SegmentResult>;
}

/** Encoded segments of a movie. */
export interface EncodedVideo {
  segmentPaths: string[];
  /** Encoder of all segments. */
  encoder: EncodeSettings['encoder'];
  /** Replaced encoders, failed graphics devices and damaged files. */
  warnings: string[];
  /** Encodes the movie in software because its segments cannot be stitched; rethrows `error` where that would not help. Absent after a replacement. */
  replaceEncoder?: (error: unknown) => Promise<EncodedVideo>;
}

/** Delays between attempts to open a busy hardware encoder before the software encoder replaces it; one minute in total. */
const SESSION_RETRY_DELAYS_MS = [250, 750, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * Renders one segment per section, and several of a long one. When a hardware encoder fails, the software encoder starts again with the
 * first section, because segments of two encoders cannot share the headers of one file.
 */
export async function renderVideo(plan: VideoPlan, call: VideoCall): Promise<EncodedVideo> {
  const { timeline } = plan;
  const failures = new Set<string>();
  const replaceEncoder = (error: unknown): Promise<EncodedVideo> => encodeInSoftware(error, plan, call, failures);
  try {
    const segmentPaths = await renderSegments(plan, call, failures);
    return { segmentPaths, encoder: timeline.encode.encoder, warnings: [...failures], replaceEncoder };
  } catch (error) {
    return replaceEncoder(error);
  }
}

async function encodeInSoftware(error: unknown, plan: VideoPlan, call: VideoCall, failures: Set<string>): Promise<EncodedVideo> {
  const { timeline, softwareFallback } = plan;
  const { encoder } = timeline.encode;
  const reason = fallbackReason(error, encoder);
  if (reason === undefined || softwareFallback === undefined || call.signal.aborted) throw error;
  const to = softwareFallback.encoder;
  call.parts.onFallback?.({ from: encoder, to, reason, detail: error instanceof Error && 'detail' in error ? String(error.detail) : String(error) });
  const { composed: _hardware, ...alone } = call;
  const segmentPaths = await renderSegments({ ...plan, timeline: { ...timeline, encode: softwareFallback } }, alone, failures);
  const replaced = `${encoder} ${reasonTexts[reason]}; the video was encoded with ${to} instead.`;
  return { segmentPaths, encoder: to, warnings: [replaced, ...failures] };
}

const deviceWarning = (failure: string): string => `A graphics device failed (${failure}); the CPU compositor replaced it.`;

/** Warnings about damaged videos, one per clip. */
export function videoWarnings({ faults }: Pick<SegmentResult, 'faults'>): string[] {
  return faults.map(
    ({ label, lostSeconds }) => `${label}: the file is damaged; ${Number(lostSeconds.toFixed(2))} s of its video cannot be decoded and show the frame before.`,
  );
}

const reasonTexts: Record<EncoderFallback['reason'], string> = {
  busy: 'had no session free',
  unavailable: 'could not be opened',
  failed: 'stopped working during the render',
  mixed: 'encoded segments that cannot be joined',
};

/** Why another encoder should replace this one; undefined when it would not help. */
export function fallbackReason(error: unknown, encoder: EncodeSettings['encoder']): EncoderFallback['reason'] | undefined {
  if (!isHardware(encoder)) return undefined;
  switch (engineCodeOf(error)) {
    case 'ENCODER_BUSY':
      return 'busy';
    case 'ENCODER_UNAVAILABLE':
      return 'unavailable';
    case 'ENCODE_FAILED':
      return 'failed';
    // Cards of different generations write different headers.
    case 'STITCH_FAILED':
      return 'mixed';
    default:
      return undefined;
  }
}

/** Adds warnings about failed graphics devices and damaged files to `failures`. */
async function renderSegments(plan: VideoPlan, call: VideoCall, failures: Set<string>): Promise<string[]> {
  const { timeline, uncached } = plan;
  const { reuse, onProgress } = call;
  const segments = segmentsOf(plan, call.workDir);
  const progress = new SegmentProgress(timeline.canvas.frames, onProgress);
  // The engine keeps videos open for the next segment of the same scene: with few key frames, a new decoder would have to start far earlier.
  const continuesPrevious = (index: number): boolean => segments[index]?.section === segments[index - 1]?.section && hasVideoSource(segments[index]);
  const { maxParallelSegments, maxParallelOnCards = maxParallelSegments } = call.parts.engine;
  const maxParallel = isHardware(timeline.encode.encoder) ? maxParallelOnCards : maxParallelSegments;
  const order = { count: segments.length, maxParallel, continuesPrevious };
  return startInOrder(order, call.signal, async (index, signal, onBegun) => {
    const segment = segments[index] as Segment;
    const { section, label, cut, path } = segment;
    const report = (frames: number): void => progress.report(index, `rendering_${label}`, frames);
    const onFrames = (frames: number): void => {
      onBegun();
      report(frames);
    };
    let isRendered = false;
    await reuse.fetchOrRender(cut, { part: 'picture', path, mayReuse: !uncached.sections.has(section) }, async () => {
      isRendered = true;
      const result = (await adoptComposed(segment, call)) ?? (await encodeSegment(cut, path, { parts: call.parts, signal, onFrames }));
      call.profile?.addScene(label, result);
      if (result.deviceFailure !== undefined) failures.add(deviceWarning(result.deviceFailure));
      for (const warning of videoWarnings(result)) failures.add(warning);
      // Packets from the cache come without warnings.
      return result.faults.length === 0;
    });
    if (!isRendered) call.profile?.addReused();
    report(cut.range.end - cut.range.first);
    return path;
  });
}

/** Moves a segment that was encoded beside other outputs to its path; undefined if there is none. */
async function adoptComposed(segment: Segment, { composed, parts }: VideoCall): Promise<SegmentResult | undefined> {
  const result = composed?.get(composedPath(segment));
  if (result === undefined) return undefined;
  await rename(composedPath(segment), segment.path);
  return reportSegment(result, parts);
}

const hasVideoSource = (segment: Segment | undefined): boolean => segment?.cut.timeline.sources.some(({ kind }) => kind === 'video') ?? false;

interface SegmentCall extends Pick<VideoCall, 'signal' | 'parts'> {
  onFrames: (frames: number) => void;
}

/** Encodes one segment to `path`; waits while the hardware encoder is busy. */
export function encodeSegment({ timeline, range, size }: SizedSegment, path: string, { parts, signal, onFrames }: SegmentCall): Promise<SegmentResult> {
  const { encoder } = timeline.encode;
  const document = Buffer.from(JSON.stringify(timeline));
  const options = { signal, onProgress: onFrames };
  return retryWhileBusy({ parts, signal }, async () => {
    parts.onEncoder?.(encoder, true);
    try {
      if (size === undefined) return reportSegment(await parts.engine.renderSegment(document, range, path, options), parts);
      const { segments } = await parts.engine.renderOutputs(document, [], { ...options, segments: [{ path, ...range, ...size }] });
      const [result] = segments;
      if (result === undefined || result instanceof AppError) throw result;
      return reportSegment(result, parts);
    } finally {
      parts.onEncoder?.(encoder, false);
    }
  });
}

/** Reports how a segment was rendered. */
function reportSegment(result: SegmentResult, parts: VideoCall['parts']): SegmentResult {
  if (result.deviceFailure !== undefined) parts.onDeviceFailure?.(result.deviceFailure);
  const { interop, interopReason } = result;
  if (interop !== undefined || interopReason !== undefined) parts.onFrameTransfer?.(interop ?? 'host', interopReason);
  for (const { backend, reason } of result.videos) parts.onDecode?.(backend, reason);
  return result;
}

/** Retries while all sessions of the hardware encoder are in use. */
async function retryWhileBusy<T>(call: Pick<VideoCall, 'signal' | 'parts'>, render: () => Promise<T>): Promise<T> {
  for (const waitMs of call.parts.sessionRetryDelaysMs ?? SESSION_RETRY_DELAYS_MS) {
    try {
      return await render();
    } catch (error) {
      if (engineCodeOf(error) !== 'ENCODER_BUSY') throw error;
      await sleep(waitMs, undefined, { signal: call.signal });
    }
  }
  return render();
}
