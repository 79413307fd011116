import { setTimeout as sleep } from 'node:timers/promises';
import { engineCodeOf, type SegmentFacts } from '../../engine/index.js';
import { cutSegment, type EncodeSettings, isHardware, type SegmentTimeline, splitRange, type Timeline } from '../../timeline/index.js';
import type { Plan } from '../plan/plan-movie.js';
import type { EncoderFallback, RenderParts } from '../render-parts.js';
import type { RenderProfile } from '../render-profile.js';
import { sideBySide } from '../side-by-side.js';
import { PictureProgress } from './picture-progress.js';
import type { Reuse } from './reuse.js';
import { segmentPath } from './segment-path.js';

export type PicturePlan = Pick<Plan, 'timeline' | 'uncached' | 'inSoftware'>;

export interface PictureCall {
  workDir: string;
  signal: AbortSignal;
  profile?: RenderProfile;
  reuse: Reuse;
  parts: Pick<RenderParts, 'engine' | 'onEncoder' | 'onFallback' | 'onDeviceFailure' | 'onHandover' | 'onDecode' | 'sessionWaitsMs'>;
  /** `done` is a part of the whole picture. */
  onProgress: (stage: string, done: number) => void;
}

export interface EncodedPicture {
  segmentPaths: string[];
  /** The one that made all of the segments. */
  encoder: EncodeSettings['encoder'];
  /** What became of the encoder that was chosen first, if it is not that one, and of graphics devices. */
  warnings: string[];
}

/** How long one waits for a session of the hardware before the processor takes over: a minute in all. */
const SESSION_WAITS_MS = [250, 750, 1000, 2000, 4000, 8000, 15_000, 30_000];

/**
 * One segment per section, and several of a long one. Where hardware gives out in the middle, the processor's encoder starts
 * from the first section again: segments of two encoders have headers that do not go into one file.
 */
export async function renderPicture(plan: PicturePlan, call: PictureCall): Promise<EncodedPicture> {
  const { timeline, inSoftware, uncached } = plan;
  const { encoder } = timeline.encode;
  const failures = new Set<string>();
  const warnings = () => Array.from(failures, (failure) => `A graphics device failed (${failure}); the processor drew in its place.`);
  try {
    return { segmentPaths: await renderSections(timeline, uncached, call, failures), encoder, warnings: warnings() };
  } catch (error) {
    const reason = fallbackReason(error, encoder);
    if (reason === undefined || inSoftware === undefined || call.signal.aborted) throw error;
    const to = inSoftware.encoder;
    call.parts.onFallback?.({ from: encoder, to, reason, detail: error instanceof Error && 'detail' in error ? String(error.detail) : String(error) });
    const segmentPaths = await renderSections({ ...timeline, encode: inSoftware }, uncached, call, failures);
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
async function renderSections(timeline: Timeline, uncached: Plan['uncached'], call: PictureCall, failures: Set<string>): Promise<string[]> {
  const { workDir, reuse, onProgress } = call;
  const stretches = stretchesOf(timeline);
  const progress = new PictureProgress(timeline.canvas.frames, onProgress);
  // The engine leaves films open for the next part of the same scene: where they have few key frames, another decoder would begin far before.
  const goesOn = (index: number): boolean => stretches[index]?.section === stretches[index - 1]?.section && playsFilms(stretches[index]);
  const order = { count: stretches.length, atOnce: call.parts.engine.segmentsAtOnce, goesOn };
  return sideBySide(order, call.signal, async (index, signal, onBegun) => {
    const { section, label, cut } = stretches[index] as Stretch;
    const path = segmentPath(workDir, index);
    const report = (frames: number): void => progress.report(index, `rendering_${label}`, frames);
    const onFrames = (frames: number): void => {
      onBegun();
      report(frames);
    };
    let isRendered = false;
    await reuse.packets(cut, { part: 'picture', path, mayReuse: !uncached.sections.has(section) }, async () => {
      isRendered = true;
      const facts = await encodeSection(cut, path, { parts: call.parts, signal, onFrames });
      call.profile?.addScene(label, facts);
      if (facts.deviceFailure !== undefined) failures.add(facts.deviceFailure);
    });
    if (!isRendered) call.profile?.addReused();
    report(cut.range.end - cut.range.first);
    return path;
  });
}

/** What one run of the encoder takes: a section, or a part of a long one. */
interface Stretch {
  section: number;
  label: string;
  cut: SegmentTimeline;
}

const playsFilms = (stretch: Stretch | undefined): boolean => stretch?.cut.timeline.sources.some(({ kind }) => kind === 'video') ?? false;

/** Split as for hosts that share the movie: however many there are, the film is the same. */
function stretchesOf(timeline: Timeline): Stretch[] {
  return timeline.sections.flatMap(({ label }, section) => {
    const cut = cutSegment(timeline, section);
    return splitRange(cut.range, timeline).map((range) => ({ section, label, cut: { ...cut, range } }));
  });
}

interface SectionCall extends Pick<PictureCall, 'signal' | 'parts'> {
  onFrames: (frames: number) => void;
}

/** Waits for hardware that others use. */
export function encodeSection({ timeline, range }: SegmentTimeline, path: string, { parts, signal, onFrames }: SectionCall): Promise<SegmentFacts> {
  const { encoder } = timeline.encode;
  return whenFree({ parts, signal }, async () => {
    parts.onEncoder?.(encoder, true);
    try {
      const facts = await parts.engine.renderSegment(Buffer.from(JSON.stringify(timeline)), range, path, { signal, onProgress: onFrames });
      if (facts.deviceFailure !== undefined) parts.onDeviceFailure?.(facts.deviceFailure);
      const { handover, handoverReason } = facts;
      if (handover !== undefined || handoverReason !== undefined) parts.onHandover?.(handover ?? 'host', handoverReason);
      for (const { way, reason } of facts.films) parts.onDecode?.(way, reason);
      return facts;
    } finally {
      parts.onEncoder?.(encoder, false);
    }
  });
}

/** Again and again while others use all of the hardware's sessions, but not forever. */
async function whenFree<T>(call: Pick<PictureCall, 'signal' | 'parts'>, render: () => Promise<T>): Promise<T> {
  for (const waitMs of call.parts.sessionWaitsMs ?? SESSION_WAITS_MS) {
    try {
      return await render();
    } catch (error) {
      if (engineCodeOf(error) !== 'ENCODER_BUSY') throw error;
      await sleep(waitMs, undefined, { signal: call.signal });
    }
  }
  return render();
}
