import { statSync } from 'node:fs';
import { framesByFfmpeg, framesOfSequence, startChromium } from './frames.mjs';
import { ffprobe } from './probe.mjs';
import { clipMovie, renderOutputs, transparentMovie } from './render.mjs';
import { similarityOf } from './similarity.mjs';

/** Moving outputs and stills of every codec, with and without alpha, in two sizes. */
const opaque = [
  { format: 'mp4', codec: 'h264' },
  { format: 'mp4', codec: 'hevc' },
  { format: 'mp4', codec: 'hevc', bit_depth: 10 },
  { format: 'mp4', codec: 'av1' },
  { format: 'mp4', codec: 'h264', fragmented: true },
  { format: 'webm', codec: 'vp9' },
  { format: 'webm', codec: 'av1' },
  { format: 'mov', codec: 'h264' },
  { format: 'mov', codec: 'hevc' },
  { format: 'mov', codec: 'prores-422' },
  { format: 'gif' },
  { format: 'webp' },
  { format: 'apng' },
  { format: 'png' },
  { format: 'jpeg' },
  { format: 'webp-still' },
  { format: 'avif' },
];
const transparent = [
  { format: 'webm', codec: 'vp9' },
  { format: 'mov', codec: 'prores-4444' },
  { format: 'webp' },
  { format: 'apng' },
  { format: 'png' },
  { format: 'webp-still' },
  { format: 'avif' },
  // As good as the format can be: what is lost is not the encoder's.
  { format: 'webm', codec: 'vp9', crf: 4 },
  { format: 'webp', lossless: true },
  { format: 'webp-still', lossless: true },
];
/** They have fewer frames by default. */
const animations = new Set(['gif', 'webp', 'apng']);
const stills = new Set(['png', 'jpeg', 'webp-still', 'avif']);
const canvas = { width: 640, height: 360, fps: 25, seconds: 2, quality: 'high' };
const stillTime = 1;

/** A row of every format, codec, alpha and size of every clip: what ffprobe says, and PSNR of the decoded frames beside the composed ones. */
export async function measureMatrix({ clips, folder }) {
  const chromium = await startChromium();
  const rows = [];
  try {
    for (const clip of clips) {
      for (const alpha of [false, true]) {
        const sizes = [canvas, { ...canvas, width: canvas.width / 2, height: canvas.height / 2 }];
        for (const size of sizes) rows.push(...(await measureCell(clip, alpha, size, folder, chromium)));
      }
      console.log(`${clip.name}: ${rows.length} rows`);
    }
  } finally {
    await chromium.close();
  }
  print(rows);
  return rows;
}

async function measureCell(clip, alpha, { width, height }, folder, chromium) {
  const movie = (alpha ? transparentMovie : clipMovie)(clip, canvas);
  const outputs = (alpha ? transparent : opaque).map((one, index) => ({
    ...one,
    name: `o${index}`,
    width,
    ...(animations.has(one.format) && { fps: canvas.fps }),
    ...(alpha && { alpha: true }),
    ...(stills.has(one.format) && { time: stillTime }),
  }));
  const reference = { name: 'reference', format: 'png', sequence: true, width, ...(alpha && { alpha: true }) };
  const { files } = renderOutputs(clip, movie, [...outputs, reference], folder);
  const composed = framesOfSequence(files.reference, { width, height }, folder);
  const rows = [];
  for (const output of outputs) {
    const path = files[output.name];
    const frames = await read(path, output, { width, height }, chromium);
    const expected = stills.has(output.format) ? [composed[stillTime * canvas.fps]] : composed;
    const probed = output.format === 'webp' ? undefined : ffprobe(path);
    rows.push({
      clip: clip.name,
      format: output.format,
      codec: probed?.codec ?? 'webp',
      bits: output.bit_depth ?? 8,
      fragmented: output.fragmented === true,
      alpha,
      width,
      ...(output.crf !== undefined && { crf: output.crf }),
      lossless: output.lossless === true,
      probed: probed === undefined ? 'not read by this ffprobe' : `${probed.width}x${probed.height} ${probed.pixels}`,
      frames: frames.length,
      bytes: statSync(path).size,
      psnr: similarityOf(frames, expected, width, `${clip.name}, ${path}`),
    });
  }
  return rows;
}

const imageTypes = { gif: 'image/gif', apng: 'image/png', webp: 'image/webp', 'webp-still': 'image/webp', avif: 'image/avif' };

/** Every frame as often as it is shown. Animations are read by Chromium, because ffmpeg ignores the delay of the last frame, and reads no animated WebP. */
async function read(path, { format, codec, alpha }, size, chromium) {
  if (Object.hasOwn(imageTypes, format)) {
    const { frames, delays } = await chromium.framesOf(path, imageTypes[format], size);
    return stills.has(format) ? frames : frames.flatMap((frame, index) => Array(Math.round((delays[index] * canvas.fps) / 1000)).fill(frame));
  }
  return framesByFfmpeg(path, size, codec === 'vp9' && alpha === true ? ['-c:v', 'libvpx-vp9'] : []);
}

/** The mean and the worst of all clips, a line each. */
function print(rows) {
  const groups = groupRows(rows);
  console.log('format, codec | bits | alpha | width | as probed | luma dB, mean (worst frame) | colour dB | alpha dB | worst clip');
  for (const [key, group] of groups) {
    const summarize = (name) => {
      const mean = group.reduce((sum, row) => sum + row.psnr[name].mean, 0) / group.length;
      return `${mean.toFixed(1)} (${Math.min(...group.map((row) => row.psnr[name].worst)).toFixed(1)})`;
    };
    const worst = group.reduce((a, b) => (b.psnr.color.worst < a.psnr.color.worst ? b : a));
    console.log([key, summarize('luma'), summarize('color'), worst.alpha ? summarize('alpha') : '', worst.clip].join(' | '));
  }
}

const keyOf = ({ format, codec, bits, fragmented, alpha, width, probed, crf, lossless }) =>
  [
    `${format}${fragmented ? ', fragmented' : ''}, ${codec}${crf === undefined ? '' : `, crf ${crf}`}${lossless ? ', lossless' : ''}`,
    bits,
    alpha ? 'yes' : '',
    width,
    probed,
  ].join(' | ');

function groupRows(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
