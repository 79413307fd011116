import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { audioLagOf, colorErrorOf, GRID, RATE, timeErrorOf } from './compare.mjs';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
/** Larger deviations count as wrong: frames, levels of 255, milliseconds between audio and video. */
const tolerance = { timeError: 0.5, colorError: 6, syncError: 45 };
const maxSide = 1280;
const imageFormats = new Set(['png_pipe', 'jpeg_pipe', 'webp_pipe', 'tiff_pipe', 'bmp_pipe', 'image2', 'svg_pipe', 'gif', 'apng']);
const animatedFormats = new Set(['gif', 'apng']);
/** Text that ffprobe takes for video. */
const textCodecs = new Set(['ansi', 'bintext', 'xbin', 'idf']);

function run(command, args, options = {}) {
  return spawnSync(command, args, { maxBuffer: 2 ** 30, timeout: 180_000, ...options });
}

/** What ffprobe says of a file; undefined if it has neither frames nor audio. */
function probe(path) {
  const { stdout, status } = run('ffprobe', ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const { streams = [], format = {} } = JSON.parse(stdout);
  const video = streams.find(({ codec_type, disposition, width }) => codec_type === 'video' && disposition?.attached_pic !== 1 && width > 0);
  const audio = streams.find(({ codec_type }) => codec_type === 'audio');
  if (textCodecs.has(video?.codec_name) || (video === undefined && audio === undefined)) return undefined;
  const name = format.format_name;
  // AVIF and HEIC are MP4 to ffprobe.
  const isImage = imageFormats.has(name) || (/^(avif|avis|heic|heix|mif1)$/.test(format.tags?.major_brand ?? '') && audio === undefined);
  return { video, audio, isImage, isStill: isImage && !animatedFormats.has(name) };
}

const ratio = (text) => {
  const [num, den] = String(text ?? '0/1')
    .split(/[/:]/)
    .map(Number);
  return num > 0 && den > 0 ? num / den : 0;
};

/** Even size at which the file is displayed, at most `maxSide`, and its frame rate. */
function canvasOf({ video }) {
  const rotation = Math.abs(video.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? Number(video.tags?.rotate ?? 0)) % 180 === 90;
  const sides = [video.width * (ratio(video.sample_aspect_ratio) || 1), video.height];
  const [width, height] = rotation ? sides.reverse() : sides;
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const even = (side) => Math.max(16, Math.round((side * scale) / 2) * 2);
  const rate = ratio(video.avg_frame_rate) || ratio(video.r_frame_rate) || 25;
  const whole = Math.min(60, Math.max(1, Math.round(rate)));
  const isBroadcast = whole > 1 && Math.abs(rate - (whole * 1000) / 1001) < 0.005;
  return { width: even(width), height: even(height), fps: isBroadcast ? (whole * 1000) / 1001 : whole };
}

/** Renders the file alone. Returns the output's path, or why it was refused. */
function render(path, { width, height, fps }, { work, type, seconds }) {
  const name = `source${extname(path).toLowerCase()}`;
  copyFileSync(path, join(work, name));
  const elements = [{ type, src: name, ...(type === 'audio' ? {} : { x: 0, y: 0, width, height }) }];
  const script = { width, height, fps, quality: 'high', scenes: [{ duration: seconds, background: '#000000', elements }] };
  writeFileSync(join(work, 'movie.json'), JSON.stringify(script));
  const output = join(work, 'movie.mp4');
  const { status, stderr, signal } = run(process.execPath, [program, 'render', join(work, 'movie.json'), '-o', output, '--no-cache'], { encoding: 'utf8' });
  const lines = String(stderr).split('\n');
  const reason = lines.find((line) => line.startsWith('framewright:'))?.replace(/^.*?scenes\.0\.elements\.0[^:]*: /, '');
  if (status !== 0) return { reason: reason ?? `exit code ${status}, ${signal ?? 'no message'}` };
  return { output, warnings: lines.filter((line) => line.startsWith('warning:')).map((line) => line.replace(/^warning: (?:scenes\.0\.elements\.0: )?/, '')) };
}

/** Frames as small RGB images. */
function framesOf(path, filters, input = []) {
  const args = ['-v', 'error', '-nostdin', ...input, '-i', path, '-an', '-map', '0:V:0', '-vf', filters, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'];
  const { stdout } = run('ffmpeg', args);
  const bytes = GRID * GRID * 3;
  return Array.from({ length: Math.floor((stdout?.length ?? 0) / bytes) }, (_, index) => stdout.subarray(index * bytes, (index + 1) * bytes));
}

const small = `scale=${GRID}:${GRID}:flags=area+accurate_rnd+full_chroma_int`;
const toneMapped = 'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius,zscale=t=bt709:m=bt709:r=tv,format=yuv420p';

/** Keeps the light of a display, for which zscale takes BT.709 as BT.1886. */
const sameLight = 'zscale=t=bt709:m=bt709:r=tv,format=yuv420p';

function referenceFrames(path, { video }, { width, height, fps }, seconds) {
  const isHdr = /^(arib-std-b67|smpte2084)$/.test(video.color_transfer ?? '');
  const isInterlaced = /^(tt|bb|tb|bt)$/.test(video.field_order ?? '');
  // ffmpeg converts all untagged video by BT.601; players take what is larger than PAL for BT.709.
  const isLarge = video.height > 576 || video.width >= 1280;
  const isUntaggedHd = (video.color_space ?? 'unknown') === 'unknown' && isLarge && /^yuvj?4/.test(video.pix_fmt ?? '');
  const hasOtherGamma = /^(bt470m|bt470bg|linear|smpte428)$/.test(video.color_transfer ?? '');
  const filters = [
    ...(isUntaggedHd ? ['setparams=colorspace=bt709'] : []),
    ...(isInterlaced ? ['bwdif=mode=send_field:deint=interlaced'] : []),
    ...(isHdr ? [toneMapped] : []),
    ...(hasOtherGamma ? [sameLight] : []),
    // Times in milliseconds are up to a millisecond behind those of the frames.
    'setpts=PTS-0.002/TB',
    `fps=fps=${fps}:round=up:start_time=0`,
    `trim=duration=${seconds}`,
    `scale=${width}:${height}:flags=bicubic`,
    small,
  ];
  return { frames: framesOf(path, filters.join(',')), isHdr };
}

function samplesOf(path, seconds) {
  const { stdout } = run('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-i',
    path,
    '-vn',
    '-map',
    '0:a:0',
    '-af',
    // Fills gaps and cuts overlaps from 20 ms on, as players do.
    'aresample=async=1:min_hard_comp=0.02:first_pts=0',
    '-ac',
    '1',
    '-ar',
    String(RATE),
    '-t',
    String(seconds),
    '-f',
    'f32le',
    'pipe:1',
  ]);
  const bytes = stdout ?? Buffer.alloc(0);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + Math.floor(bytes.length / 4) * 4));
}

function imageGrid(path, { width, height }) {
  const srgb = '/usr/share/color/icc/ghostscript/srgb.icc';
  const args = [
    `${path}[0]`,
    '-auto-orient',
    '-background',
    'black',
    '-profile',
    srgb,
    '-flatten',
    '-resize',
    `${width}x${height}!`,
    '-filter',
    'box',
    '-resize',
    `${GRID}x${GRID}!`,
    '-depth',
    '8',
    'rgb:-',
  ];
  const { stdout } = run('convert', args);
  return stdout?.length === GRID * GRID * 3 ? stdout : undefined;
}

/** Result on one file: `ok`, `wrong`, `refused` (it is read elsewhere), `unread` (no program reads it) or `no media`. */
export function checkFile(path, work, seconds) {
  const found = probe(path);
  if (found === undefined) return { result: 'no media' };
  const folder = join(work, 'file');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const canvas = found.video === undefined ? { width: 64, height: 64, fps: 25 } : canvasOf(found);
  const type = found.video === undefined ? 'audio' : found.isImage ? 'image' : 'video';
  const isStill = found.isStill;
  const length = isStill ? 2 / canvas.fps : seconds;
  const rendered = render(path, canvas, { work: folder, type, seconds: length });
  if (rendered.reason !== undefined) {
    const isRead = found.video === undefined ? samplesOf(path, seconds).length > 0 : framesOf(path, `trim=duration=1,${small}`).length > 0;
    return { result: isRead ? 'refused' : 'unread', note: rendered.reason };
  }
  const errors = isStill ? checkImage(path, rendered.output, canvas) : checkMovie(path, rendered.output, found, canvas, seconds);
  const wrong = Object.keys(tolerance).filter((name) => Math.abs(errors[name] ?? 0) > tolerance[name]);
  const notes = [...wrong, ...(errors.note === undefined ? [] : [errors.note]), ...rendered.warnings];
  return { ...errors, result: wrong.length > 0 ? 'wrong' : 'ok', note: notes.length === 0 ? undefined : notes.join('; ') };
}

function checkImage(path, output, canvas) {
  const [frame] = framesOf(output, small);
  const managed = imageGrid(path, canvas);
  const expected = managed ?? framesOf(path, `scale=${canvas.width}:${canvas.height}:flags=bicubic,${small}`)[0];
  if (frame === undefined || expected === undefined) return { note: 'not compared' };
  return { colorError: colorErrorOf([frame], [expected]), ...(managed === undefined && { note: 'compared with ffmpeg, which ignores colour profiles' }) };
}

function checkMovie(path, output, found, canvas, seconds) {
  const errors = {};
  let shiftMs = 0;
  if (found.video !== undefined) {
    const { frames: expected, isHdr } = referenceFrames(path, found, canvas, seconds);
    const frames = framesOf(output, small).slice(0, expected.length);
    if (expected.length === 0) errors.note = 'not compared: ffmpeg decodes no frame';
    else {
      const { median, spread } = timeErrorOf(frames, expected) ?? {};
      errors.timeError = spread;
      shiftMs = ((median ?? 0) * 1000) / canvas.fps;
      // A file may start with a delay of all of its tracks, which a movie leaves out.
      if (shiftMs !== 0) errors.note = `starts ${Math.round(-shiftMs)} ms earlier`;
      const error = colorErrorOf(frames.slice(Math.max(0, median ?? 0)), expected.slice(Math.max(0, -(median ?? 0))));
      // Tone curves differ from program to program.
      if (isHdr) errors.note = `HDR, ${error.toFixed(1)} levels from another tone curve`;
      else errors.colorError = error;
    }
  }
  if (found.audio !== undefined) errors.audioLag = audioLagOf(samplesOf(output, seconds), samplesOf(path, seconds));
  if (errors.audioLag !== undefined) errors.syncError = errors.audioLag - shiftMs;
  return errors;
}
