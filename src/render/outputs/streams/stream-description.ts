import { basename } from 'node:path';
import type { Output } from '../../../script/index.js';
import type { CaptionTrack } from './caption-tracks.js';
import { type CmafTrack, readCmafTrack } from './cmaf-track.js';
import { offsetFrames, type StreamTrack } from './stream-tracks.js';

/** A finished track with what playlists say of it. */
export interface DescribedTrack extends CmafTrack {
  label: string;
  /** File name. */
  name: string;
  /** Pixels; absent for the sound. */
  size?: { width: number; height: number };
  /** Bits per second of the largest segment, and of all of them. */
  peakBitrate: number;
  averageBitrate: number;
}

/** A finished stream. */
export interface StreamDescription {
  durationSeconds: number;
  fps: Output['fps'];
  /** Absent: SDR. */
  hdr?: Output['hdr'];
  /** Frames at which the timestamps of all tracks begin. */
  offsetFrames: number;
  /** The largest first. */
  video: DescribedTrack[];
  audio?: DescribedTrack & { channels: number };
  /** With the file names of their WebVTT files. */
  captions: ReadonlyArray<Omit<CaptionTrack, 'cues'> & { name: string }>;
}

/** Reads the tracks of a stream. */
export async function describeStream(output: Output, tracks: readonly StreamTrack[], captions: StreamDescription['captions']): Promise<StreamDescription> {
  const described = await Promise.all(tracks.map(describeTrack));
  const video = described.filter(({ size }) => size !== undefined);
  const audio = described.find(({ size }) => size === undefined);
  return {
    durationSeconds: durationOf(video[0] ?? { segments: [] }),
    fps: output.fps,
    ...(output.hdr !== undefined && { hdr: output.hdr }),
    offsetFrames: offsetFrames(output),
    video,
    ...(audio !== undefined && { audio: { ...audio, channels: output.audio?.channels ?? 2 } }),
    captions,
  };
}

async function describeTrack({ label, path, size }: StreamTrack): Promise<DescribedTrack> {
  const track = await readCmafTrack(path);
  const rates = track.segments.map((segment) => (segment.size * 8) / segment.durationSeconds);
  const bytes = track.segments.reduce((sum, segment) => sum + segment.size, 0);
  return {
    ...track,
    label,
    name: basename(path),
    ...(size !== undefined && { size: { width: size.width, height: size.height } }),
    peakBitrate: Math.ceil(Math.max(...rates)),
    averageBitrate: Math.ceil((bytes * 8) / durationOf(track)),
  };
}

function durationOf({ segments }: Pick<CmafTrack, 'segments'>): number {
  return segments.reduce((sum, segment) => sum + segment.durationSeconds, 0);
}
