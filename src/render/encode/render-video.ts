import { setTimeout as sleep } from 'node:timers/promises';
import { engineCodeOf, type SegmentResult } from '../../engine/index.js';
import { cutSegment, type EncodeSettings, isHardware, type SegmentTimeline, splitRange, type Timeline } from '../../timeline/index.js';
import type { Plan } from '../plan/plan-movie.js';
import type { EncoderFallback, RenderContext } from '../render-context.js';
import type { RenderProfile } from '../render-profile.js';
import { startInOrder } from '../start-in-order.js';
import type { SegmentCache } from './segment-cache.js';
import { segmentPath } from './segment-path.js';
import { SegmentProgress } from './segment-progress.js';

export type VideoPlan = Pick<Plan, 'timeline' | 'uncached' | 'softwareFallback'>;

export interface VideoCall {
  workDir: string;
  signal: AbortSignal;
  profile?: RenderProfile;
  reuse: SegmentCache;
  parts: Pick<RenderContext, 'engine' | 'onEncoder' | 'onFallback' | 'onDeviceFailure' | 'onFrameTransfer' | 'onDecode' | 'sessionRetryDelaysMs'>;
  /** `done` is a part of the whole picture. */
  onProgress: (stage: string, done: number) => void;
}

export interface EncodedVideo {
  segmentPaths: string[];
  /** The one that made all of the segments. */
  encoder: EncodeSettings['encoder'];
  /** What became of the encoder that was chosen first, if it is not that one, and of graphics devices. */
  warnings: string[];
}

/** How long one waits for a session of the hardware before the processor takes over: a minute in all. */
const SESSION_RETRY_DELAYS_MS = [250, 750, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * One segment per section, and several of a long one. Where hardware gives out in the middle, the processor's encoder starts
 * from the first section again: segments of two encoders have headers that do not go into one file.
 */
export async function renderVideo(plan: VideoPlan, call: VideoCall): Promise<EncodedVideo> {
  const { timeline, softwareFallback: inSoftware, uncached } = plan;
  const { encoder } = timeline.encode;
  const failures = new Set<string>();
  const warnings = () => Array.from(failures, (failure) => `A graphics device failed (${failure}); the processor drew in its place.`);
  try {
    return { segmentPaths: await renderSegments(timeline, uncached, call, failures), encoder, warnings: warnings() };
  } catch (error) {
    const reason = fallbackReason(error, encoder);
    if (reason === undefined || inSoftware === undefined || call.signal.aborted) throw error;
    const to = inSoftware.encoder;
    call.parts.onFallback?.({ from: encoder, to, reason, detail: error instanceof Error && 'detail' in error ? String(error.detail) : String(error) });
    const segmentPaths = await renderSegments({ ...timeline, encode: inSoftware }, uncached, call, failures);
    return { segmentPaths, encoder: to, warnings: [`${encoder} ${reasonTexts[reason]}; the video was encoded with ${to} instead.`, ...warnings()] };
  }
}

const reasonTexts: Record<EncoderFallback['reason'], string> = {
  busy: 'had no session free',
  unavailable: 'could not be opened',
  failed: 'stopped working during the render',
};

/** Undefined: nothing that another encoder would do better. */
export function fallbackReason(error: unknown, encoder: EncodeSettings['encoder']): EncoderFallback['reason'] | undefined {
  if (!isHardware(encoder)) return undefined;
  switch (engineCodeOf(error)) {
    case 'ENCODER_BUSY':
      return 'busy';
    case 'ENCODER_UNAVAILABLE':
      return 'unavailable';
    case 'ENCODE_FAILED':
      return 'failed';
    default:
      return undefined;
  }
}

/** `failures` gets those of graphics devices. */
async function renderSegments(timeline: Timeline, uncached: Plan['uncached'], call: VideoCall, failures: Set<string>): Promise<string[]> {
  const { workDir, reuse, onProgress } = call;
  const stretches = segmentsOf(timeline);
  const progress = new SegmentProgress(timeline.canvas.frames, onProgress);
  // The engine leaves films open for the next part of the same scene: where they have few key frames, another decoder would begin far before.
  const goesOn = (index: number): boolean => stretches[index]?.section === stretches[index - 1]?.section && hasVideoSource(stretches[index]);
  const order = { count: stretches.length, maxParallel: call.parts.engine.maxParallelSegments, continuesPrevious: goesOn };
  return startInOrder(order, call.signal, async (index, signal, onBegun) => {
    const { section, label, cut } = stretches[index] as Segment;
    const path = segmentPath(workDir, index);
    const report = (frames: number): void => progress.report(index, `rendering_${label}`, frames);
    const onFrames = (frames: number): void => {
      onBegun();
      report(frames);
    };
    let isRendered = false;
    await reuse.fetchOrRender(cut, { part: 'picture', path, mayReuse: !uncached.sections.has(section) }, async () => {
      isRendered = true;
      const facts = await encodeSegment(cut, path, { parts: call.parts, signal, onFrames });
      call.profile?.addScene(label, facts);
      if (facts.deviceFailure !== undefined) failures.add(facts.deviceFailure);
    });
    if (!isRendered) call.profile?.addReused();
    report(cut.range.end - cut.range.first);
    return path;
  });
}

/** What one run of the encoder takes: a section, or a part of a long one. */
interface Segment {
  section: number;
  label: string;
  cut: SegmentTimeline;
}

const hasVideoSource = (stretch: Segment | undefined): boolean => stretch?.cut.timeline.sources.some(({ kind }) => kind === 'video') ?? false;

/** Split as for hosts that share the movie: however many there are, the film is the same. */
function segmentsOf(timeline: Timeline): Segment[] {
  return timeline.sections.flatMap(({ label }, section) => {
    const cut = cutSegment(timeline, section);
    return splitRange(cut.range, timeline).map((range) => ({ section, label, cut: { ...cut, range } }));
  });
}

interface SegmentCall extends Pick<VideoCall, 'signal' | 'parts'> {
  onFrames: (frames: number) => void;
}

/** Waits for hardware that others use. */
export function encodeSegment({ timeline, range }: SegmentTimeline, path: string, { parts, signal, onFrames }: SegmentCall): Promise<SegmentResult> {
  const { encoder } = timeline.encode;
  return retryWhileBusy({ parts, signal }, async () => {
    parts.onEncoder?.(encoder, true);
    try {
      const facts = await parts.engine.renderSegment(Buffer.from(JSON.stringify(timeline)), range, path, { signal, onProgress: onFrames });
      if (facts.deviceFailure !== undefined) parts.onDeviceFailure?.(facts.deviceFailure);
      const { interop, interopReason } = facts;
      if (interop !== undefined || interopReason !== undefined) parts.onFrameTransfer?.(interop ?? 'host', interopReason);
      for (const { backend, reason } of facts.videos) parts.onDecode?.(backend, reason);
      return facts;
    } finally {
      parts.onEncoder?.(encoder, false);
    }
  });
}

/** Again and again while others use all of the hardware's sessions, but not forever. */
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
