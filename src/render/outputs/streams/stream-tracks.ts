import { basename, dirname, join } from 'node:path';
import type { LadderRung, Output } from '../../../script/index.js';
import type { Timeline } from '../../../timeline/index.js';
import { type OutputSpec, outputSound, outputSpec } from '../output-spec.js';

/** A track of a stream: one size of the video, or the sound. */
export interface StreamTrack {
  /** Unique in the stream, e.g. `720p` or `audio`. */
  label: string;
  path: string;
  /** Absent for the sound. */
  size?: LadderRung;
  spec: OutputSpec;
}

/** More than the samples that an encoder of sound writes before the first one. */
const MIN_OFFSET_SECONDS = 0.05;

/** Frames at which the timestamps of all tracks of a stream begin. Edit lists would be ignored by some players. */
export function offsetFrames({ fps }: Pick<Output, 'fps'>): number {
  return Math.ceil((MIN_OFFSET_SECONDS * fps.num) / fps.den);
}

/** Names of a stream's files, which lie beside its playlist or manifest and begin with the same word. */
export interface StreamFiles {
  /** File name of a part of the stream. */
  nameOf(part: string, extension: string): string;
  pathOf(part: string, extension: string): string;
  /** The playlist for HLS and the manifest for DASH; one set of segments serves both. */
  playlist: string;
  manifest: string;
}

/** The files of a stream whose playlist or manifest is at `path`. */
export function streamFiles(path: string): StreamFiles {
  const folder = dirname(path);
  const stem = basename(path).replace(/\.[a-z0-9]+$/i, '');
  const nameOf = (part: string, extension: string): string => `${stem}-${part}.${extension}`;
  return {
    nameOf,
    pathOf: (part, extension) => join(folder, nameOf(part, extension)),
    playlist: join(folder, `${stem}.m3u8`),
    manifest: join(folder, `${stem}.mpd`),
  };
}

/** Bits per second that a track of 1280×720 pixels and 30 fps may need at most, by codec. */
const peakBitrate: Readonly<Record<string, number>> = { h264: 3_500_000, hevc: 2_300_000, av1: 2_000_000 };
/** Bits grow more slowly than pixels and frames, because larger frames have more in common. */
const PIXELS_EXPONENT = 0.85;
const RATE_EXPONENT = 0.75;
/** Peak of a track with an average bit rate. */
const PEAK_TO_AVERAGE = 1.5;

/** The tracks of a stream: its sizes, whose segments begin at the same frames, and its sound. */
export function streamTracks(output: Output, path: string, canvas: Timeline['canvas'], mixPath: string | undefined): StreamTrack[] {
  const { ladder = [], segmentDuration: fragmentSeconds = 4 } = output;
  const files = streamFiles(path);
  const { audio: _audio, ...silent } = output;
  const timestampOffset = (offsetFrames(output) * output.fps.den) / output.fps.num;
  const labels = ladder.map(({ height }, index) => {
    const earlier = ladder.slice(0, index).filter((rung) => rung.height === height).length;
    return earlier === 0 ? `${height}p` : `${height}p-${earlier + 1}`;
  });
  const video = ladder.map((size, index): StreamTrack => {
    const label = labels[index] ?? '';
    const trackPath = files.pathOf(label, 'mp4');
    const spec = outputSpec({ ...silent, ...size }, trackPath, canvas, undefined);
    const maxBitrate = Math.round(size.bitrate === undefined ? peakOf(output, size) : size.bitrate * PEAK_TO_AVERAGE);
    return { label, path: trackPath, size, spec: { ...spec, fragmentSeconds, timestampOffset, maxBitrate } };
  });
  const audio = outputSound(output, mixPath);
  const [first] = video;
  if (audio === undefined || first === undefined) return video;
  const soundPath = files.pathOf('audio', 'mp4');
  const spec: OutputSpec = { path: soundPath, format: 'm4a', first: first.spec.first, end: first.spec.end, fragmentSeconds, timestampOffset, audio };
  return [...video, { label: 'audio', path: soundPath, spec }];
}

function peakOf({ codec = 'h264', fps }: Output, { width, height }: LadderRung): number {
  const standard = peakBitrate[codec] ?? peakBitrate.h264 ?? 0;
  return standard * ((width * height) / (1280 * 720)) ** PIXELS_EXPONENT * (fps.num / fps.den / 30) ** RATE_EXPONENT;
}
