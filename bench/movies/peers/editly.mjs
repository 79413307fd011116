import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled, measure } from '../measure.mjs';
import { canvas } from '../movies.mjs';
import { encoderArguments } from './ffmpeg.mjs';
import { drawTextImage } from './text-image.mjs';

/** editly: a spec of clips with layers. It needs an X server for its transitions, which is there before anything is measured. */

const program = fileURLToPath(new URL('editly/render.mjs', import.meta.url));
const fadeSeconds = 0.5;

/** Input of `editly/render.mjs` for a fabric layer: an image with keyframes of position and opacity, in seconds of the clip. */
const movingImage = (path, marks) => ({ type: 'moving-image', path, marks });
const still = (path, place) => movingImage(path, [{ time: 0, opacity: 1, ...place }]);
const logo = (media) => still(media.logo, { x: 1680, y: 40, opacity: 0.8 });

const specs = {
  slideshow(movie, media, folder) {
    const clips = movie.photos.map((path, k) => {
      const isLast = k + 1 === movie.photos.length;
      const title = drawTextImage(join(folder, `title-${k}.png`), [{ text: movie.titles[k], pixels: 96, y: 70 }], { width: 1600, height: 140 });
      const place = { x: 160, y: 480 };
      return {
        // Transitions take from both of their clips.
        duration: movie.sceneSeconds + (isLast ? 0 : fadeSeconds),
        layers: [
          { type: 'image', path, resizeMode: 'cover', zoomDirection: 'in', zoomAmount: 0.03 * movie.sceneSeconds },
          movingImage(title, [
            { time: 0, opacity: 0, ...place },
            { time: fadeSeconds, opacity: 1, ...place },
          ]),
          logo(media),
        ],
      };
    });
    return { defaults: { transition: { name: 'fade', duration: fadeSeconds } }, clips, audioTracks: [{ path: media.music }] };
  },
  overlay(movie, media, folder) {
    const { enters, leaves, seconds } = movie;
    const size = { width: 900, height: 140, plate: 'black@0.6' };
    const box = drawTextImage(join(folder, 'box.png'), [{ text: movie.text, pixels: 56, y: 70 }], size);
    const at = (time, x) => ({ time, x, y: 820, opacity: 1 });
    const layers = [
      { type: 'video', path: movie.clip, resizeMode: 'cover', cutTo: seconds },
      movingImage(box, [at(enters, -920), at(enters + 0.5, 80), at(leaves, 80), at(leaves + 0.5, -920)]),
      logo(media),
    ];
    return {
      ...{ defaults: { transition: null }, clips: [{ duration: seconds, layers }] },
      ...{ keepSourceAudio: true, clipsAudioVolume: 0.6, audioTracks: [{ path: media.music, mixVolume: 0.2 }] },
    };
  },
  cards(movie, media, folder) {
    const clips = movie.colours.map((color, k) => {
      const [first, second] = movie.lines[k];
      const lines = [
        { text: first, pixels: 110, y: 80 },
        { text: second, pixels: 52, y: 245, weight: 400 },
      ];
      const card = drawTextImage(join(folder, `card-${k}.png`), lines, { width: 1600, height: 300 });
      return { duration: movie.sceneSeconds, layers: [{ type: 'fill-color', color }, still(card, { x: 160, y: 380 })] };
    });
    return { defaults: { transition: null }, clips, audioTracks: [{ path: media.music }] };
  },
};

/** Undefined where it is not installed in `packages`, or there is no X server. */
export function findEditly(packages) {
  return existsSync(join(packages, 'node_modules', 'editly')) && isInstalled('Xvfb') ? new Editly(packages) : undefined;
}

class Editly {
  name = 'editly';
  #display;

  constructor(packages) {
    this.packages = packages;
  }

  draws(movie) {
    return movie.name in specs;
  }

  render(movie, { media, settings, places: { folder }, output }) {
    this.#display ??= startDisplay(folder);
    const spec = { ...canvas, ...specs[movie.name](movie, media, folder), outPath: output, customOutputArgs: encoderArguments(settings) };
    const job = join(folder, 'editly.json');
    writeFileSync(job, JSON.stringify(spec));
    return measure([process.execPath, program, this.packages, job], { env: { ...process.env, DISPLAY: this.#display } });
  }
}

/** Its name, once the server takes windows. It ends with this process. */
function startDisplay(folder) {
  const path = join(folder, 'display');
  const file = openSync(path, 'w');
  const server = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '64x64x24'], { stdio: ['ignore', 'ignore', 'ignore', file] });
  closeSync(file);
  process.on('exit', () => server.kill());
  server.unref();
  for (let tries = 0; tries < 100; tries++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    const number = readFileSync(path, 'utf8').trim();
    if (number !== '') return `:${number}`;
  }
  throw new Error('Xvfb did not start.');
}
