import { AppError } from '../../errors/index.js';
import { type Movie, type Output, outputFormats } from '../../script/index.js';
import { audioBitrate, encoderFor, encodeSettings, type OutputFileSpec, type Timeline } from '../../timeline/index.js';

/** An output file with its frames. */
export type OutputSpec = OutputFileSpec & Required<Pick<OutputFileSpec, 'first' | 'end'>>;

/** Constant quality of VP9 with alpha, whose edges lie over other videos later. */
const transparentVp9Crf: Record<Output['quality'], number> = { low: 36, medium: 28, high: 22 };

/**
 * The engine's quality values of lossy images, 0 is best: WebP's quality is 100 minus the value, JPEG's quantizer scale 1 plus its half, and
 * a tenth of GIF's is the levels by which pixels may differ from the best colour to stay as they are.
 */
const imageCrf: Partial<Record<Output['format'], Record<Output['quality'], number>>> = {
  jpeg: { low: 12, medium: 8, high: 4 },
  poster: { low: 12, medium: 8, high: 4 },
  gif: { low: 15, medium: 0, high: 0 },
  webp: { low: 45, medium: 30, high: 15 },
  'webp-still': { low: 40, medium: 25, high: 10 },
  avif: { low: 36, medium: 28, high: 20 },
};

/**
 * The engine's description of an output file. `mixPath` is the movie's mix; absent: the file has no sound. Throws RENDER_FAILED for times
 * after the end of the movie.
 */
export function outputSpec(output: Output, path: string, canvas: Timeline['canvas'], mixPath: string | undefined): OutputSpec {
  const { format, codec, width, height, alpha, matte, bitrate, maxBytes, bitDepth, hdr, linear, fragmented, sequence } = output;
  const { first, end } = outputFrames(output, canvas);
  const audio = outputSound(output, mixPath);
  const crf = output.lossless ? 0 : (output.crf ?? (bitrate === undefined ? crfOf(output) : undefined));
  return {
    path,
    format: fileFormat(format),
    ...(codec !== undefined && { codec }),
    width,
    height,
    fps: output.fps,
    first,
    end,
    alpha,
    matte: `#${[matte.r, matte.g, matte.b].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`,
    ...(crf !== undefined && { crf }),
    ...(bitrate !== undefined && { bitrate }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(bitDepth !== undefined && { bitDepth }),
    ...(hdr !== undefined && { hdr }),
    ...(linear && { linear }),
    ...(fragmented && { fragmentSeconds: FRAGMENT_SECONDS }),
    ...(sequence && { sequence }),
    ...(audio !== undefined && { audio }),
  };
}

/** Length of the fragments of a file that is played while it is received. */
const FRAGMENT_SECONDS = 2;

/** The sound of an output from the movie's mix; undefined if it or the movie has none. */
export function outputSound({ audio, quality }: Output, mixPath: string | undefined): OutputFileSpec['audio'] {
  return audio === undefined || mixPath === undefined ? undefined : { path: mixPath, ...soundOf(audio, quality) };
}

/** The canvas frames that an output shows. Throws RENDER_FAILED for times after the end of the movie. */
export function outputFrames(output: Output, { frames, fps }: Timeline['canvas']): { first: number; end: number } {
  return outputFormats[output.format].kind === 'still' && !output.sequence ? stillRange(output, frames, fps) : movingRange(output, frames, fps);
}

/** Name of the format in the engine. */
function fileFormat(format: Output['format']): OutputFileSpec['format'] {
  if (format === 'poster') return 'jpeg';
  if (format === 'hls' || format === 'dash') return 'mp4';
  if (format === 'srt' || format === 'vtt' || format === 'ass' || format === 'storyboard') throw new Error(`the engine makes no ${format} files`);
  return format;
}

function soundOf({ codec, channels, bitrate }: NonNullable<Output['audio']>, quality: Output['quality']): Omit<NonNullable<OutputFileSpec['audio']>, 'path'> {
  const isLossless = codec === 'pcm' || codec === 'flac';
  const standard = channels === 1 ? audioBitrate[quality] / 2 : audioBitrate[quality];
  return { codec, channels, ...(!isLossless && { bitrate: bitrate ?? standard }) };
}

function crfOf({ codec, format, quality, alpha }: Output): number | undefined {
  if (codec === 'vp9' && alpha) return transparentVp9Crf[quality];
  if (codec === 'h264' || codec === 'hevc' || codec === 'av1' || codec === 'vp9') return encodeSettings({ quality }, encoderFor(codec, 'software')).crf;
  return imageCrf[format]?.[quality];
}

function stillRange(output: Output, frames: number, fps: Movie['fps']): { first: number; end: number } {
  const first = output.time === undefined ? Math.floor(frames / 2) : Math.floor((output.time * fps.num) / fps.den + 1e-6);
  if (first >= frames) throw failure(output, `its time is after the end of the movie, which has ${frames} frames`);
  return { first, end: first + 1 };
}

function movingRange(output: Output, frames: number, fps: Movie['fps']): { first: number; end: number } {
  const { start = 0, duration } = output.range ?? {};
  const first = Math.round((start * fps.num) / fps.den);
  if (first >= frames) throw failure(output, `its range starts after the end of the movie, which has ${frames} frames`);
  const length = duration === undefined ? frames : Math.max(1, Math.round((duration * fps.num) / fps.den));
  return { first, end: Math.min(frames, first + length) };
}

const failure = ({ path, name }: Output, reason: string): AppError =>
  new AppError('RENDER_FAILED', { message: `${path}: the output ${JSON.stringify(name)} cannot be made: ${reason}.` });
