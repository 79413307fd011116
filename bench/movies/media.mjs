import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './measure.mjs';

/** Photos of 12 megapixels, clips of a moving camera, a logo and music; the same bytes on every machine with this ffmpeg. */

const palettes = [
  ['0x0b2545', '0xd98e4a', '0xf4d6a0', '0x2b1d2e'],
  ['0x13392b', '0x8fb85c', '0xe8e4c9', '0x355c7d'],
  ['0x40201a', '0xc44d34', '0xf2b880', '0x1e2a38'],
  ['0x1b1f3b', '0x5a7fb5', '0xd9e3f0', '0x70504a'],
];

/** Shapes from large to small, then grain: what a photo has and a test chart lacks. */
function photo(path, palette, seed) {
  const noise = (size, strength, salt) => ['-f', 'lavfi', '-i', `color=gray:s=${size},noise=alls=${strength}:all_seed=${seed * 10 + salt},format=gray`];
  const colours = palette.map((colour, k) => `c${k}=${colour}`).join(':');
  const layers = ['12x9', '60x45', '320x240', '1333x1000'];
  const graph = [
    `[0:v]format=gbrp[base]`,
    ...layers.map((_, k) => `[${k + 1}:v]scale=4000:3000:flags=bicubic,eq=contrast=${k === 0 ? 2.2 : 1.8},format=gbrp[n${k}]`),
    '[base][n0]blend=all_mode=softlight[a];[a][n1]blend=all_mode=softlight:all_opacity=0.7[b];[b][n2]blend=all_mode=softlight:all_opacity=0.4[c];[c][n3]blend=all_mode=softlight:all_opacity=0.25[d]',
    `[d]noise=alls=3:all_seed=${seed},format=yuvj444p`,
  ].join(';');
  run([
    ...['ffmpeg', '-v', 'error', '-nostdin', '-y', '-filter_complex_threads', '1'],
    ...['-f', 'lavfi', '-i', `gradients=s=4000x3000:n=4:${colours}:x0=${200 * seed}:y0=100:x1=3800:y1=2900:seed=${seed}:speed=0.00001`],
    ...layers.flatMap((size, k) => noise(size, [100, 90, 60, 60][k], k)),
    ...['-filter_complex', graph, '-frames:v', '1', '-q:v', '3', '-f', 'mjpeg', path],
  ]);
}

function clip(path, from, seconds, crf, more = []) {
  const moves = "crop=2400:1350:x='800+650*sin(t/2.3)':y='800+500*sin(t/3.1+1)',scale=1920:1080:flags=bicubic,noise=alls=2:allf=t:all_seed=5";
  run([
    ...['ffmpeg', '-v', 'error', '-nostdin', '-y', '-loop', '1', '-framerate', '30', '-i', from],
    ...['-f', 'lavfi', '-i', "aevalsrc='0.2*sin(2*PI*180*t)*(1+0.5*sin(2*PI*3*t))|0.2*sin(2*PI*200*t)':s=48000"],
    ...['-t', String(seconds), '-vf', moves, '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(crf), '-g', '60'],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv', ...more],
    ...['-c:a', 'aac', '-b:a', '128k', '-f', 'mp4', path],
  ]);
}

function logo(path) {
  const soft =
    "geq=r='255':g='200-80*Y/H':b='60+120*X/W':a='255*clip((92-hypot(X-100,Y-100))/8,0,1)*(1-0.6*clip((hypot(X-100,Y-100)-30)/30,0,1)*between(hypot(X-100,Y-100),30,60))'";
  run([
    'ffmpeg',
    '-v',
    'error',
    '-nostdin',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `color=white:s=200x200,format=rgba,${soft}`,
    '-frames:v',
    '1',
    '-f',
    'image2',
    '-c:v',
    'png',
    path,
  ]);
}

function music(path) {
  const chord = (notes) => notes.map((hertz, k) => `0.08*sin(2*PI*${hertz}*t)*(0.7+0.3*sin(2*PI*t/${3 + k}))`).join('+');
  run([
    ...[
      'ffmpeg',
      '-v',
      'error',
      '-nostdin',
      '-y',
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='${chord([220, 277.2, 329.6, 440])}|${chord([220, 277.4, 330, 441])}':s=48000:d=62`,
    ],
    ...['-c:a', 'aac', '-b:a', '192k', '-f', 'ipod', path],
  ]);
}

/** Makes what is missing in `folder`; paths by name. */
export function makeMedia(folder, { quick }) {
  mkdirSync(folder, { recursive: true });
  const media = { photos: palettes.map((_, k) => join(folder, `photo-${k}.jpg`)) };
  for (const [name, file] of [
    ['clip', quick ? 'clip-quick.mp4' : 'clip.mp4'],
    ['copyableClip', quick ? 'copyable-quick.mp4' : 'copyable.mp4'],
    ['logo', 'logo.png'],
    ['music', 'music.m4a'],
  ])
    media[name] = join(folder, file);
  const make = (path, maker) => {
    if (existsSync(path)) return;
    maker(`${path}.part`);
    renameSync(`${path}.part`, path);
  };
  for (const [k, path] of media.photos.entries()) make(path, (part) => photo(part, palettes[k], k + 1));
  const seconds = quick ? 5 : 21;
  make(media.clip, (part) => clip(part, media.photos[1], seconds, 18));
  // A clip that can be stream-copied: the quality of the movies, and left chroma sample location, as in videos but not in photos.
  make(media.copyableClip, (part) => clip(part, media.photos[1], seconds, 22, ['-chroma_sample_location', 'left']));
  make(media.logo, logo);
  make(media.music, music);
  return media;
}
