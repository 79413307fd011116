import { fileURLToPath } from 'node:url';
import { measure } from '../measure.mjs';
import { canvas } from '../movies.mjs';

/** The ffmpeg program with a hand-written filter graph. */

export const fontFile = (weight) => fileURLToPath(new URL(`../../../node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff2`, import.meta.url));
const size = `${canvas.width}x${canvas.height}`;
const toVideo = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p';

/** As Framewright sets libav's AAC encoder (native/libav/encode/audio/aac_encoder.cc). */
export const soundSettings = { aac_coder: 'fast', aac_is: 0, aac_pns: 0 };

export function encoderArguments({ preset, crf, keyframeSeconds }) {
  const tags = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  const video = [
    '-c:v',
    'libx264',
    '-profile:v',
    'high',
    '-preset',
    preset,
    '-crf',
    String(crf),
    '-g',
    String(keyframeSeconds * canvas.fps),
    '-pix_fmt',
    'yuv420p',
    ...tags,
  ];
  const sound = Object.entries(soundSettings).flatMap(([name, value]) => [`-${name}`, String(value)]);
  return [...video, '-c:a', 'aac', '-b:a', '128k', ...sound, '-ar', '48000', '-ac', '2', '-movflags', '+faststart'];
}

const drawText = (text, { pixels, y, weight = 700, alpha = '1' }) =>
  `drawtext=fontfile=${fontFile(weight)}:text='${text}':expansion=none:fontsize=${pixels}:fontcolor=white:x=(w-text_w)/2:y=${y}-text_h/2:alpha='${alpha}'`;

const graphs = {
  slideshow(movie, media) {
    const frames = movie.sceneSeconds * canvas.fps;
    const inputs = movie.photos.flatMap((path) => ['-i', path]);
    const scenes = movie.photos.map((_, k) => {
      const shownFrames = frames + (k + 1 < movie.photos.length ? 15 : 0);
      const zoom = `zoompan=z='1+${0.03 * movie.sceneSeconds}*min(on,${frames})/${frames}':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d=${shownFrames}:s=${size}:fps=${canvas.fps}`;
      return `[${k}:v]scale=3840:2160:force_original_aspect_ratio=increase,crop=3840:2160,${zoom},${toVideo},${drawText(movie.titles[k], { pixels: 96, y: 550, alpha: 'min(t/0.5,1)' })}[s${k}]`;
    });
    const fades = movie.photos
      .slice(1)
      .map((_, k) => `[${k === 0 ? 's0' : `f${k}`}][s${k + 1}]xfade=transition=fade:duration=0.5:offset=${movie.sceneSeconds * (k + 1)}[f${k + 1}]`);
    const last = movie.photos.length;
    const logo = `[${last}:v]format=rgba,colorchannelmixer=aa=0.8[logo];[f${last - 1}][logo]overlay=1680:40[v]`;
    return { inputs: [...inputs, '-i', media.logo, '-i', media.music], graph: [...scenes, ...fades, logo].join(';'), maps: ['[v]', `${last + 1}:a`] };
  },
  overlay(movie, media) {
    const { enters, leaves } = movie;
    const x = `if(lt(t,${enters + 0.5}),-920+2000*(t-${enters}),if(lt(t,${leaves}),80,80-2000*(t-${leaves})))`;
    const box = `[1:v]${drawText(movie.text, { pixels: 56, y: 70 })},format=yuva420p[box]`;
    const graph = [
      box,
      `[0:v][box]overlay=x='${x}':y=820:enable='between(t,${enters},${leaves + 0.5})'[boxed]`,
      '[2:v]format=rgba,colorchannelmixer=aa=0.8[logo];[boxed][logo]overlay=1680:40[v]',
      '[0:a]volume=0.6[clip];[3:a]volume=0.2[music];[clip][music]amix=inputs=2:duration=longest:normalize=0[a]',
    ].join(';');
    const plate = ['-f', 'lavfi', '-i', `color=black@0.6:s=900x140:r=${canvas.fps},format=rgba`];
    return { inputs: ['-i', media.clip, ...plate, '-i', media.logo, '-i', media.music], graph, maps: ['[v]', '[a]'] };
  },
  cards(movie, media) {
    const inputs = movie.colours.flatMap((colour) => [
      '-f',
      'lavfi',
      '-t',
      String(movie.sceneSeconds),
      '-i',
      `color=${colour.replace('#', '0x')}:s=${size}:r=${canvas.fps},format=yuv420p`,
    ]);
    const scenes = movie.colours.map(
      (_, k) => `[${k}:v]${drawText(movie.lines[k][0], { pixels: 110, y: 460 })},${drawText(movie.lines[k][1], { pixels: 52, y: 625, weight: 400 })}[s${k}]`,
    );
    const joined = `${movie.colours.map((_, k) => `[s${k}]`).join('')}concat=n=${movie.colours.length}:v=1[v]`;
    return { inputs: [...inputs, '-i', media.music], graph: [...scenes, joined].join(';'), maps: ['[v]', `${movie.colours.length}:a`] };
  },
  films(movie, media) {
    const inputs = movie.starts.flatMap((start) => ['-ss', String(start), '-t', String(movie.partSeconds), '-i', media.copyableClip]);
    const parts = movie.starts.map((_, k) => `[${k}:v][${k}:a]`).join('');
    return { inputs, graph: `${parts}concat=n=${movie.starts.length}:v=1:a=1[v][a]`, maps: ['[v]', '[a]'] };
  },
};

export const ffmpeg = {
  name: 'ffmpeg',
  draws: (movie) => movie.name in graphs,
  render(movie, { media, settings, output }) {
    const { inputs, graph, maps } = graphs[movie.name](movie, media);
    const ends = ['-t', String(movie.seconds)];
    return measure([
      'ffmpeg',
      '-v',
      'error',
      '-nostdin',
      '-y',
      ...inputs,
      '-filter_complex',
      graph,
      ...maps.flatMap((map) => ['-map', map]),
      ...ends,
      ...encoderArguments(settings),
      output,
    ]);
  },
};
