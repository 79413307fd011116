import type { Output } from '../../script/index.js';
import { audioBitrate, type EncodeSettings, encoderFor, encodeSettings, isHardware, softwareEncodeSettings } from '../../timeline/index.js';
import type { SegmentCache } from '../encode/segment-cache.js';
import { segmentsOf, type VideoPlan } from '../encode/segments.js';
import type { Plan } from '../plan/plan-movie.js';
import type { RenderContext } from '../render-context.js';
import type { ComposedVideo } from './batch-outputs.js';
import { groupBySegments, hasSoundPackets, type OutputFiles, precisionSettings, segmentCodecOf, segmentedOutputs } from './output-files.js';

/** A video that is encoded in segments, which caches keep, and muxed afterwards. */
export interface SegmentedVideo {
  /** The files that have it; empty for a movie without `outputs`. */
  outputs: readonly Output[];
  plan: VideoPlan;
}

/** The segmented videos of a movie, the main one first. */
export async function planVideos(files: OutputFiles | undefined, plan: Plan, parts: Pick<RenderContext, 'encoders' | 'engine'>): Promise<SegmentedVideo[]> {
  if (files === undefined) return [{ outputs: [], plan }];
  const videos: SegmentedVideo[] = [];
  for (const outputs of groupBySegments(files)) {
    const [first] = outputs;
    videos.push({ outputs, plan: first === files.main ? plan : await planVideo(first, plan, parts) });
  }
  return videos;
}

/** Plans a video beside the main one: the same segments with other settings or in another size. */
async function planVideo(output: Output, { timeline, uncached }: Plan, { encoders, engine }: Pick<RenderContext, 'encoders' | 'engine'>): Promise<VideoPlan> {
  const { quality, crf, width, height, name } = output;
  const codec = segmentCodecOf(output) ?? 'h264';
  // Only software encodes 10 bits.
  const encoder = (output.bitDepth === 10 ? undefined : await encoders?.select(codec, engine)) ?? encoderFor(codec, 'software');
  const variant = await encoders?.variantOf(encoder);
  const { canvas, encode } = timeline;
  // Segments of all videos begin at the same frames.
  const common = { keyframeSeconds: encode.keyframeSeconds, ...precisionSettings(output), ...(crf !== undefined && { crf }) };
  const isScaled = width !== canvas.width || height !== canvas.height;
  const copies = encode.copy === true && !isScaled && encoder === encode.encoder;
  return {
    timeline: {
      ...timeline,
      encode: { ...encodeSettings({ quality }, encoder, { ...common, ...(variant !== undefined && { variant }) }), ...(copies && { copy: true }) },
    },
    uncached,
    name: `video-${name}`,
    ...(isScaled && { size: { width, height } }),
    ...(isHardware(encoder) && { softwareFallback: { ...softwareEncodeSettings({ codec, quality }, common), ...common } }),
  };
}

/** Bits per second of a video's sound. `encode`: settings of the main video. */
export function soundBitrate(output: Output, files: OutputFiles | undefined, encode: Pick<EncodeSettings, 'audioBitrate'>): number {
  return output === files?.main ? encode.audioBitrate : (output.audio?.bitrate ?? audioBitrate[output.quality]);
}

/** Bits per second of the sound packets that a movie's videos need. */
export function soundBitrates(files: OutputFiles | undefined, encode: Pick<EncodeSettings, 'audioBitrate'>): Set<number> {
  if (files === undefined) return new Set([encode.audioBitrate]);
  return new Set(
    segmentedOutputs(files)
      .filter(hasSoundPackets)
      .map((output) => soundBitrate(output, files, encode)),
  );
}

/** The segments of videos that no cache has. */
export function missingSegments(videos: readonly SegmentedVideo[], workDir: string, reuse: SegmentCache): Promise<ComposedVideo[]> {
  return Promise.all(
    videos.map(async ({ plan }) => {
      const segments = segmentsOf(plan, workDir).map((segment) => ({ ...segment, mayReuse: !plan.uncached.sections.has(segment.section) }));
      return { plan, missing: await reuse.missing(segments) };
    }),
  );
}
