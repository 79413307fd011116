import type { StitchRequest, StitchResult } from '../../engine/index.js';
import type { Output } from '../../script/index.js';
import type { Timeline } from '../../timeline/index.js';
import type { EncodedVideo } from '../encode/render-video.js';
import type { SegmentCache } from '../encode/segment-cache.js';
import { removeSegments } from '../encode/stitch-output.js';
import type { RenderContext } from '../render-context.js';
import { type RenderProfile, timed } from '../render-profile.js';
import { hasSoundPackets, type OutputFiles } from './output-files.js';
import { outputSpec } from './output-spec.js';
import { soundBitrate } from './segmented-videos.js';

/** The encoded segments of a video. */
export interface SegmentedOutput {
  /** The files that are muxed from them; empty for a movie without `outputs`. */
  outputs: readonly Output[];
  encoded: EncodedVideo;
}

/** A muxed video. */
export interface MuxedVideo extends Pick<EncodedVideo, 'encoder' | 'warnings'> {
  durationSeconds: number;
  bytes: number;
}

export interface MuxCall {
  request: { outputPath: string; signal: AbortSignal; profile?: RenderProfile };
  parts: Pick<RenderContext, 'engine'>;
  files: OutputFiles | undefined;
  sound: Pick<Timeline, 'canvas' | 'encode'>;
  /** Packets of the sound by bits per second. Empty: the videos are silent. */
  audioPaths: ReadonlyMap<number, string>;
  /** Mix for sound of other codecs; absent if no video needs it. */
  mixPath?: string | undefined;
  reuse: SegmentCache;
  /** Called with the path of every file that exists from now on. */
  onWritten: (path: string) => void;
}

/** Muxes videos with their sound, in the given order, and deletes their segments. A hardware encoder whose segments cannot be joined is replaced. */
export async function muxVideos(videos: readonly SegmentedOutput[], call: MuxCall): Promise<MuxedVideo[]> {
  const muxed: MuxedVideo[] = [];
  for (const { outputs, encoded } of videos) {
    let current = encoded;
    const replace = async (error: unknown): Promise<EncodedVideo> => {
      if (current.replaceEncoder === undefined) throw error;
      current = await current.replaceEncoder(error).finally(() => call.reuse.flush());
      return current;
    };
    for (const output of outputs.length === 0 ? [undefined] : outputs) {
      const spec = stitchSpec(output, call);
      const stitch = ({ segmentPaths }: EncodedVideo): Promise<StitchResult> =>
        timed(call.request.profile, 'stitch', () => call.parts.engine.stitch({ segmentPaths, ...spec }, { signal: call.request.signal }));
      const { durationSeconds, bytes } = await stitch(current).catch(async (error) => stitch(await replace(error)));
      call.onWritten(spec.outputPath);
      muxed.push({ durationSeconds, bytes, encoder: current.encoder, warnings: current.warnings });
    }
    await removeSegments(current.segmentPaths);
  }
  return muxed;
}

/** Where a video goes, and its sound. */
function stitchSpec(output: Output | undefined, { request, files, sound, audioPaths, mixPath }: MuxCall): Omit<StitchRequest, 'segmentPaths'> {
  // A movie without outputs has one sound.
  if (output === undefined) return { outputPath: request.outputPath, ...withAudio([...audioPaths.values()][0]) };
  const outputPath = files?.paths.get(output.name) ?? request.outputPath;
  const isPacket = hasSoundPackets(output);
  const packets = isPacket ? withAudio(audioPaths.get(soundBitrate(output, files, sound.encode))) : {};
  if (output.format === 'mp4' && !output.fragmented && (isPacket || output.audio === undefined)) return { outputPath, ...packets };
  return { outputPath, ...packets, file: outputSpec(output, outputPath, sound.canvas, isPacket ? undefined : mixPath) };
}

const withAudio = (audioPath: string | undefined): { audioPath?: string } => (audioPath === undefined ? {} : { audioPath });
