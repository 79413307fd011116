import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { run } from './measure.mjs';

/**
 * The reference movies: what each peer draws, and the script for Framewright. `quick` keeps the content
 * and shortens the duration.
 */

export const canvas = { width: 1920, height: 1080, fps: 30 };
export const font = 'Inter';

const title = (text, extra = {}) => ({
  type: 'text',
  text,
  font,
  font_weight: 700,
  font_size: 96,
  color: '#ffffff',
  text_shadow: 'none',
  x: 160,
  y: 480,
  width: 1600,
  height: 140,
  ...extra,
});
const logoElement = (media) => ({ type: 'image', src: basename(media.logo), x: 1680, y: 40, width: 200, height: 200, opacity: 0.8 });
const musicElement = (media, volume) => ({ type: 'audio', src: basename(media.music), volume, duration: -2 });
const script = (fields) => ({ ...canvas, quality: 'medium', ...fields });

function slideshow(media, quick) {
  const sceneSeconds = quick ? 2 : 5;
  const titles = ['Four days north', 'The green valley', 'Red rock', 'Home again'].slice(0, quick ? 2 : 4);
  const photos = titles.map((_, k) => media.photos[k]);
  return {
    name: 'slideshow',
    about: 'photos that slowly come nearer, titles that fade in, crossfades, a logo, music',
    seconds: sceneSeconds * photos.length,
    sceneSeconds,
    photos,
    titles,
    script: script({
      scenes: photos.map((path, k) => ({
        duration: sceneSeconds,
        ...(k === 0 ? {} : { transition: { style: 'fade', duration: 0.5 } }),
        elements: [{ type: 'image', src: basename(path), resize: 'cover', zoom: 0.3 * sceneSeconds }, title(titles[k], { fade_in: 0.5 })],
      })),
      elements: [logoElement(media), musicElement(media, 1)],
    }),
  };
}

function overlay(media, quick) {
  const seconds = quick ? 4 : 20;
  const leaves = quick ? 3 : 8;
  const enters = quick ? 0.5 : 2;
  return {
    name: 'overlay',
    about: 'a clip, a box with text that slides in and out, a logo, the clip’s sound under music',
    seconds,
    enters,
    leaves,
    clip: media.clip,
    text: 'A lower third over film',
    script: script({
      scenes: [
        {
          duration: seconds,
          elements: [
            { type: 'video', src: basename(media.clip), resize: 'cover', volume: 0.6 },
            {
              ...title('A lower third over film', { font_size: 56, x: 80, y: 820, width: 900, height: 140, background_color: '#00000099' }),
              start: enters,
              duration: leaves + 0.5 - enters,
              keyframes: [
                { time: 0, x: -1000 },
                { time: 0.5, x: 0 },
                { time: leaves - enters, x: 0 },
                { time: leaves + 0.5 - enters, x: -1000 },
              ],
            },
          ],
        },
      ],
      elements: [logoElement(media), musicElement(media, 0.2)],
    }),
  };
}

function cards(media, quick) {
  const colours = ['#264653', '#2a9d8f', '#e9c46a', '#f4a261', '#e76f51', '#1d3557', '#457b9d', '#6d597a', '#355070', '#b56576', '#588157', '#3a5a40'].slice(
    0,
    quick ? 3 : 12,
  );
  const sceneSeconds = quick ? 3 : 5;
  const lines = colours.map((_, k) => [`Chapter ${k + 1}`, 'What nobody tells you about it']);
  return {
    name: 'cards',
    about: 'cards of one colour with two lines of text, hard cuts, music',
    seconds: sceneSeconds * colours.length,
    sceneSeconds,
    colours,
    lines,
    script: script({
      scenes: colours.map((background, k) => ({
        duration: sceneSeconds,
        background,
        elements: [title(lines[k][0], { font_size: 110, y: 380, height: 160 }), title(lines[k][1], { font_size: 52, font_weight: 400, y: 580, height: 90 })],
      })),
      elements: [musicElement(media, 1)],
    }),
  };
}

/** Unmodified parts of a video; most of them begin between key frames. */
function clips(media, quick) {
  const partSeconds = quick ? 2 : 6;
  const starts = quick ? [0, 2.5] : [0, 7, 14];
  return {
    name: 'films',
    about: 'parts of a video end to end, with its sound',
    seconds: partSeconds * starts.length,
    partSeconds,
    starts,
    clip: media.copyableClip,
    isCopied: true,
    script: script({ scenes: starts.map((seek) => ({ duration: partSeconds, elements: [{ type: 'video', src: basename(media.copyableClip), seek }] })) }),
  };
}

/** One of many renders of the same script: only the text of the first scene differs. */
export function templateScript(media, quick, recipient) {
  const scenes = quick ? 3 : 12;
  const sceneSeconds = quick ? 2 : 5;
  return script({
    scenes: Array.from({ length: scenes }, (_, k) => ({
      duration: sceneSeconds,
      elements: [
        { type: 'image', src: basename(media.photos[k % media.photos.length]), resize: 'cover', zoom: k % 2 === 0 ? 0.8 : -0.8 },
        title(k === 0 ? `Hello ${recipient}` : `Reason ${k} to stay`, { fade_in: 0.4 }),
      ],
    })),
    elements: [musicElement(media, 1)],
  });
}

export function movies(media, quick) {
  return [slideshow, overlay, cards, clips].map((make) => make(media, quick)).map((movie) => ({ ...movie, frames: movie.seconds * canvas.fps }));
}

/** What a finished file must be like, whoever made it; throws with what differs. */
export function checkFile(path, { seconds, frames }) {
  const fields = 'stream=codec_type,codec_name,profile,width,height,pix_fmt,avg_frame_rate,nb_frames,sample_rate,channels:format=duration';
  const { streams, format } = JSON.parse(run(['ffprobe', '-v', 'error', '-of', 'json', '-show_entries', fields, path]));
  const video = streams.find((stream) => stream.codec_type === 'video');
  const audio = streams.find((stream) => stream.codec_type === 'audio');
  const found = {
    video: `${video?.codec_name} ${video?.profile} ${video?.width}x${video?.height} ${video?.pix_fmt} ${video?.avg_frame_rate}`,
    frames: Number(video?.nb_frames),
    audio: `${audio?.codec_name} ${audio?.sample_rate} ${audio?.channels}`,
  };
  const wanted = { video: `h264 High ${canvas.width}x${canvas.height} yuv420p ${canvas.fps}/1`, frames, audio: 'aac 48000 2' };
  for (const key of Object.keys(wanted)) {
    if (found[key] !== wanted[key]) throw new Error(`${path}: ${key} is "${found[key]}", not "${wanted[key]}"`);
  }
  if (Math.abs(Number(format.duration) - seconds) > 0.06) throw new Error(`${path} lasts ${format.duration} s, not ${seconds} s`);
}

/** x264 options for a program that replaces its lookahead, which is then off. */
const lookaheadOptions = ['rc_lookahead', 'mbtree'];

/**
 * The encoder's own account of its settings, as x264 leaves it in the stream; undefined when it is not there. `looksAhead`: the program does
 * that itself.
 */
export function encoderOptions(path, { looksAhead = false } = {}) {
  const start = Buffer.alloc(4 << 20);
  const file = openSync(path, 'r');
  const length = readSync(file, start);
  closeSync(file);
  const text = /x264[^\0]* options: ([^\0\x80]*)/.exec(start.toString('latin1', 0, length))?.[1];
  if (text === undefined) return undefined;
  const all = Object.fromEntries([...text.matchAll(/(\w+)=([\w.:-]+)/g)].map(([, key, value]) => [key, value]));
  // How many threads it has is a program's own affair.
  const compared = [
    'cabac',
    'ref',
    'subme',
    'me',
    'trellis',
    '8x8dct',
    'bframes',
    'b_pyramid',
    'weightp',
    'keyint',
    'rc_lookahead',
    'rc',
    'mbtree',
    'crf',
    'aq',
  ];
  const own = compared.filter((key) => !(looksAhead && lookaheadOptions.includes(key)));
  return own.map((key) => `${key}=${all[key]}`).join(' ');
}
