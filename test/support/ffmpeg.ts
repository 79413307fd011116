import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** The ffmpeg and ffprobe programs: makers of test media and the independent judges of our output. */

const run = promisify(execFile);
const MAX_OUTPUT = 1 << 30;

export async function ffmpeg(...args: string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { maxBuffer: MAX_OUTPUT });
}

export interface ProbedStream {
  codec_type: 'video' | 'audio';
  codec_name: string;
  profile?: string;
  width?: number;
  height?: number;
  pix_fmt?: string;
  r_frame_rate: string;
  avg_frame_rate: string;
  start_time: string;
  duration: string;
  nb_frames: string;
  color_range?: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  chroma_location?: string;
  sample_rate?: string;
  channels?: number;
  side_data_list?: Array<Record<string, unknown>>;
}

export function ffprobe(path: string): { format: { duration: string; size: string; start_time: string }; streams: ProbedStream[] } {
  return JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', path], { encoding: 'utf8' }));
}

export interface Frames {
  width: number;
  height: number;
  /** One buffer per frame: 3 bytes (rgb) or 1 byte (gray) a pixel. */
  frames: Buffer[];
}

/**
 * Decodes with libavcodec and converts with swscale at full accuracy. `rgb` asks for BT.709 limited → RGB by the
 * file's own tags, as a player would; `gray` gives the luma plane untouched.
 */
export async function decodeFrames(path: string, format: 'rgb' | 'gray', crop?: { x: number; y: number; width: number; height: number }): Promise<Frames> {
  const video = ffprobe(path).streams.find((stream) => stream.codec_type === 'video');
  if (video?.width === undefined || video.height === undefined) throw new Error(`${path} has no picture`);
  const area = crop ?? { x: 0, y: 0, width: video.width, height: video.height };
  const filters = [
    format === 'gray' ? 'extractplanes=y' : 'scale=sws_flags=accurate_rnd+full_chroma_int+bicubic:in_range=tv:out_range=pc,format=rgb24',
    `crop=${area.width}:${area.height}:${area.x}:${area.y}:exact=1`,
  ];
  const { stdout } = await run(
    'ffmpeg',
    [
      '-v',
      'error',
      '-nostdin',
      '-i',
      path,
      '-map',
      '0:v:0',
      '-vf',
      filters.join(','),
      '-vsync',
      'passthrough',
      '-f',
      'rawvideo',
      '-pix_fmt',
      format === 'gray' ? 'gray' : 'rgb24',
      'pipe:1',
    ],
    { maxBuffer: MAX_OUTPUT, encoding: 'buffer' },
  );
  const bytes = area.width * area.height * (format === 'gray' ? 1 : 3);
  const frames: Buffer[] = [];
  for (let at = 0; at + bytes <= stdout.length; at += bytes) frames.push(stdout.subarray(at, at + bytes));
  return { width: area.width, height: area.height, frames };
}

/** 48 kHz samples, -1..1, of one channel. */
export async function decodeSamples(path: string, channel: 0 | 1 = 0): Promise<Float32Array> {
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-nostdin', '-i', path, '-map', '0:a:0', '-ar', '48000', '-ac', '2', '-f', 'f32le', 'pipe:1'], {
    maxBuffer: MAX_OUTPUT,
    encoding: 'buffer',
  });
  const both = new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
  return both.filter((_, index) => index % 2 === channel);
}

/** Root mean square of samples [from, to) in seconds. */
export function rms(samples: Float32Array, from: number, to: number): number {
  const part = samples.subarray(Math.round(from * 48_000), Math.round(to * 48_000));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length));
}

export function pixelAt(image: Frames, frame: number, x: number, y: number): [number, number, number] {
  const bytes = image.frames[frame];
  if (bytes === undefined) throw new Error(`there is no frame ${frame}`);
  const at = (y * image.width + x) * 3;
  return [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
}

/** An MD5 line for each decoded frame and each packet of decoded sound, in order. */
export async function frameDigests(path: string): Promise<string[]> {
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-nostdin', '-i', path, '-f', 'framemd5', '-'], { maxBuffer: MAX_OUTPUT });
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
