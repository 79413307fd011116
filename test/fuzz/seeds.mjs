/**
 * Small media of every kind that the engine reads, made by ffmpeg (and by our own hand where ffmpeg cannot): what
 * fuzzing starts from. A few kilobytes each.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

const video = (size, seconds) => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=12:d=${seconds}`];
const tone = (seconds) => ['-f', 'lavfi', '-i', `sine=f=440:r=44100:d=${seconds}`];
const both = [...video('64x48', 1), ...tone(1)];

/** File names and the ffmpeg arguments that make them. */
const media = {
  'film.mp4': [...both, '-c:v', 'libx264', '-bf', '2', '-g', '6', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '32k'],
  'fragments.mp4': [...both, '-c:v', 'libx264', '-g', '4', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
  'turned.mov': [...video('48x32', 1), '-c:v', 'libx264', '-pix_fmt', 'yuv422p', '-metadata:s:v', 'rotate=90'],
  'hevc.mp4': [...video('64x64', 0.5), '-c:v', 'libx265', '-x265-params', 'log-level=none', '-tag:v', 'hvc1', '-pix_fmt', 'yuv420p'],
  'vp9.webm': [...both, '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-b:v', '60k', '-c:a', 'libopus', '-b:a', '24k'],
  'vp8.webm': [...video('64x48', 1), '-c:v', 'libvpx', '-auto-alt-ref', '0', '-pix_fmt', 'yuva420p', '-b:v', '60k'],
  'film.mkv': [...both, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'libvorbis'],
  'film.avi': [...both, '-c:v', 'mpeg4', '-bf', '2', '-g', '6', '-c:a', 'libmp3lame', '-b:a', '32k'],
  'clip.ts': [...both, '-c:v', 'libx264', '-bf', '2', '-g', '6', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '32k'],
  'clip.mpg': [...video('64x48', 1).map((one) => one.replace('r=12', 'r=25')), ...tone(1), '-c:v', 'mpeg2video', '-flags', '+ilme+ildct', '-c:a', 'mp2'],
  'clip.flv': [...both, '-c:v', 'flv1', '-c:a', 'libmp3lame', '-b:a', '32k'],
  'clip.wmv': [...both, '-c:v', 'wmv2', '-c:a', 'wmav2'],
  'pictures.avi': [...both, '-c:v', 'mjpeg', '-c:a', 'pcm_u8', '-ar', '8000'],
  'sound.mp3': [...tone(1), '-c:a', 'libmp3lame', '-b:a', '32k'],
  'sound.m4a': [...tone(1), '-c:a', 'aac', '-b:a', '32k'],
  'sound.aac': [...tone(1), '-c:a', 'aac', '-b:a', '32k', '-f', 'adts'],
  'sound.ogg': [...tone(1), '-c:a', 'libvorbis'],
  'sound.flac': [...tone(0.3), '-c:a', 'flac'],
  'sound.wav': [...tone(0.1), '-c:a', 'pcm_s16le', '-ar', '16000'],
};

const images = {
  'picture.png': [...video('40x30', 1), '-frames:v', '1'],
  'grey-16.png': [...video('20x16', 1), '-frames:v', '1', '-pix_fmt', 'gray16be'],
  'palette.png': [...video('24x16', 1), '-frames:v', '1', '-pix_fmt', 'pal8'],
  'alpha.png': [...video('24x16', 1), '-frames:v', '1', '-pix_fmt', 'rgba'],
  'picture.jpg': [...video('48x32', 1), '-frames:v', '1', '-pix_fmt', 'yuvj420p'],
  'wide.jpg': [...video('64x16', 1), '-frames:v', '1', '-pix_fmt', 'yuvj444p', '-q:v', '10'],
  'picture.webp': [...video('48x32', 1), '-frames:v', '1', '-c:v', 'libwebp', '-pix_fmt', 'yuv420p'],
  'alpha.webp': [...video('24x16', 1), '-frames:v', '1', '-c:v', 'libwebp', '-lossless', '1', '-pix_fmt', 'bgra'],
  'picture.bmp': [...video('40x30', 1), '-frames:v', '1', '-pix_fmt', 'bgr24'],
  'grey.bmp': [...video('24x16', 1), '-frames:v', '1', '-pix_fmt', 'gray'],
  'lzw.tiff': [...video('40x30', 1), '-frames:v', '1', '-pix_fmt', 'rgb24', '-compression_algo', 'lzw'],
  'deflate.tiff': [...video('24x16', 1), '-frames:v', '1', '-pix_fmt', 'rgba', '-compression_algo', 'deflate'],
  'packbits.tiff': [...video('24x16', 1), '-frames:v', '1', '-pix_fmt', 'gray16le', '-compression_algo', 'packbits'],
  'picture.avif': [...video('48x32', 1), '-frames:v', '1', '-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8', '-pix_fmt', 'yuv420p'],
  'moving.gif': [...video('32x24', 0.3)],
  'moving.png': [...video('32x24', 0.3), '-f', 'apng', '-pix_fmt', 'rgba'],
  'moving.webp': [...video('32x24', 0.3), '-c:v', 'libwebp_anim', '-pix_fmt', 'yuva420p'],
};

const ours = {
  'pictures.nut': [...video('64x48', 1), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-f', 'nut'],
  'sound.nut': [...tone(0.5), '-c:a', 'aac', '-f', 'nut'],
};

function makeAll(folder, list) {
  mkdirSync(folder, { recursive: true });
  return Object.entries(list).map(([name, args]) => {
    const path = join(folder, name);
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, '-fflags', '+bitexact', path], { stdio: ['ignore', 'ignore', 'inherit'] });
    return path;
  });
}

const uint32 = (...values) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
};

/** See native/formats/sprite_file.h. */
function sprite(width, height) {
  return Buffer.concat([Buffer.from('FWSP'), uint32(1, width, height), Buffer.alloc(width * height * 4, 0x55)]);
}

/** See native/libav/decode/sequence_file.h. */
function sequence(image, width, height) {
  const head = [Buffer.from('FWSQ'), uint32(1, width, height, 25, 1, 3, 2), uint32(0, 1, 0)];
  const at = 32 + 12 + 2 * 16;
  return Buffer.concat([...head, uint32(at, 0, image.length, 0), uint32(at + image.length, 0, image.length, 0), image, image]);
}

/** A PNG bomb: large dimensions, little data. */
function flatPng(width, height) {
  const chunk = (type, body) => {
    const bytes = Buffer.concat([Buffer.from(type), body]);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(bytes));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, bytes, crc]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** Videos, audio files and images. */
export function mediaSeeds(folder) {
  return makeAll(folder, media);
}

export function imageSeeds(folder) {
  const flat = join(folder, 'flat.png');
  const made = makeAll(folder, images);
  writeFileSync(flat, flatPng(300, 200));
  return [...made, flat];
}

/** Files in the engine's own formats. */
export function engineSeeds(folder) {
  const made = makeAll(folder, ours);
  const [image] = makeAll(folder, { 'picture.png': images['alpha.png'] });
  writeFileSync(join(folder, 'a.sprite'), sprite(6, 4));
  writeFileSync(join(folder, 'a.sequence'), sequence(readFileSync(image), 24, 16));
  return [...made, join(folder, 'a.sprite'), join(folder, 'a.sequence')];
}

/** H.264 elementary streams with renders' and other encoder settings. */
export function h264Seeds(folder) {
  const stream = (more) => [...video('64x48', 1), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', ...more, '-f', 'h264'];
  return makeAll(folder, {
    'one-reference.h264': stream(['-x264-params', 'ref=1:bframes=0:weightp=0']),
    'default.h264': stream([]),
    'baseline.h264': stream(['-profile:v', 'baseline']),
  });
}
