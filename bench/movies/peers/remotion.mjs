import { copyFileSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, run } from '../measure.mjs';
import { canvas } from '../movies.mjs';
import { fontFile } from './ffmpeg.mjs';

/** Remotion: movies are React components, drawn by Chromium. It is bundled once before anything is measured. */

const program = fileURLToPath(new URL('remotion/render.mjs', import.meta.url));
const frame = (seconds) => Math.round(seconds * canvas.fps);

const properties = {
  slideshow: ({ photos, titles, sceneSeconds }) => ({
    ...{ photos: photos.map((path) => basename(path)), titles, frames: frame(sceneSeconds) },
    maxScale: 1 + 0.03 * sceneSeconds,
  }),
  overlay: ({ clip, text, enters, leaves }) => ({ clip: basename(clip), text, enters: frame(enters), leaves: frame(leaves + 0.5) }),
  cards: ({ colours, lines, sceneSeconds }) => ({ colours, lines, frames: frame(sceneSeconds) }),
};

/** Undefined where it is not installed in `packages`, or no Chromium is there. */
export function findRemotion(packages, browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']) {
  const browserExecutable = browsers.find((path) => existsSync(path));
  const isThere = ['renderer', 'bundler'].every((name) => existsSync(join(packages, 'node_modules', '@remotion', name)));
  return isThere && browserExecutable !== undefined ? new Remotion(packages, browserExecutable) : undefined;
}

class Remotion {
  name = 'remotion';
  #bundle;

  constructor(packages, browserExecutable) {
    this.packages = packages;
    this.browserExecutable = browserExecutable;
  }

  draws(movie) {
    return movie.name in properties;
  }

  render(movie, { media, settings, places, output }) {
    this.#bundle ??= this.#bundled(media, places);
    const job = join(places.folder, 'remotion.json');
    const { preset, crf, keyframeSeconds } = settings;
    const inputProps = {
      ...{ kind: movie.name, length: movie.frames, logo: basename(media.logo), music: basename(media.music) },
      ...properties[movie.name](movie),
    };
    const options = { preset, crf, gopSize: keyframeSeconds * canvas.fps };
    writeFileSync(job, JSON.stringify({ output, settings: options, browserExecutable: this.browserExecutable, inputProps }));
    return measure([process.execPath, program, 'render', this.packages, this.#bundle, job]);
  }

  /** Every file that a movie names goes into the bundle. */
  #bundled(media, { folder, mediaFolder }) {
    const files = join(mediaFolder, 'remotion-files');
    rmSync(files, { recursive: true, force: true });
    mkdirSync(files);
    for (const path of [...media.photos, media.clip, media.logo, media.music]) linkSync(path, join(files, basename(path)));
    for (const weight of [400, 700]) copyFileSync(fontFile(weight), join(files, `inter-${weight}.woff2`));
    const bundle = join(folder, 'remotion');
    run([process.execPath, program, 'bundle', this.packages, files, bundle]);
    return bundle;
  }
}
