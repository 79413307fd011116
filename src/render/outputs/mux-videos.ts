import type { Output } from '../../script/index.js';
import type { Timeline } from '../../timeline/index.js';
import type { EncodedVideo } from '../encode/render-video.js';
import type { SegmentCache } from '../encode/segment-cache.js';
import { stitchOutput } from '../encode/stitch-output.js';
import type { RenderContext } from '../render-context.js';
import { type RenderProfile, timed } from '../render-profile.js';
import type { OutputFiles } from './output-files.js';
import { soundBitrate } from './segmented-videos.js';

/** The encoded segments of a video. */
export interface SegmentedOutput {
  /** Absent for a movie without `outputs`. */
  output?: Output;
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
  reuse: SegmentCache;
  /** Called with the path of every file that exists from now on. */
  onWritten: (path: string) => void;
}

/** Muxes videos with their sound, in the given order. A hardware encoder whose segments cannot be joined is replaced. */
export async function muxVideos(videos: readonly SegmentedOutput[], call: MuxCall): Promise<MuxedVideo[]> {
  const muxed: MuxedVideo[] = [];
  for (const video of videos) muxed.push(await muxVideo(video, call));
  return muxed;
}

async function muxVideo({ output, encoded }: SegmentedOutput, { request, parts, files, sound, audioPaths, reuse, onWritten }: MuxCall): Promise<MuxedVideo> {
  const outputPath = (output && files?.paths.get(output.name)) ?? request.outputPath;
  const bitrate = output?.audio && soundBitrate(output, files, sound.encode);
  // A movie without outputs has one sound.
  const audioPath = output === undefined ? [...audioPaths.values()][0] : bitrate === undefined ? undefined : audioPaths.get(bitrate);
  const stitch = ({ segmentPaths }: EncodedVideo) =>
    timed(request.profile, 'stitch', () =>
      stitchOutput({ segmentPaths, ...(audioPath !== undefined && { audioPath }) }, { outputPath, signal: request.signal }, parts.engine),
    );
  let { encoder, warnings } = encoded;
  const { durationSeconds, bytes } = await stitch(encoded).catch(async (error) => {
    if (encoded.replaceEncoder === undefined) throw error;
    const replaced = await encoded.replaceEncoder(error).finally(() => reuse.flush());
    ({ encoder, warnings } = replaced);
    return stitch(replaced);
  });
  onWritten(outputPath);
  return { durationSeconds, bytes, encoder, warnings };
}
