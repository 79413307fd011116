import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from '../measure.mjs';
import { canvas } from '../movies.mjs';
import { soundSettings } from './ffmpeg.mjs';
import { drawTextImage } from './text-image.mjs';

/** MLT's command line with a project as an editor would save it; texts are images that are drawn before. */

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const properties = (values) =>
  Object.entries(values)
    .map(([name, value]) => `<property name="${name}">${escaped(value)}</property>`)
    .join('');
const filter = (service, values) => `<filter>${properties({ mlt_service: service, ...values })}</filter>`;
const transition = (service, [below, above], [first, end], values) =>
  `<transition in="${first}" out="${end - 1}">${properties({ mlt_service: service, a_track: below, b_track: above, ...values })}</transition>`;
const entry = (id, frames, filters = '') => `<entry producer="${id}" in="0" out="${frames - 1}">${filters}</entry>`;
const blank = (frames) => (frames > 0 ? `<blank length="${frames}"/>` : '');
const playlist = (id, entries) => `<playlist id="${id}">${entries.join('')}</playlist>`;
const tractor = (id, tracks, transitions, frames) =>
  `<tractor id="${id}" in="0" out="${frames - 1}"><multitrack>${tracks.map((track) => `<track producer="${track}"/>`).join('')}</multitrack>${transitions.join('')}</tractor>`;

class Project {
  parts = [];
  count = 0;

  constructor(frames, folder) {
    this.frames = frames;
    this.folder = folder;
  }

  producer(service, resource, filters = '') {
    const id = `producer${this.count++}`;
    this.parts.push(
      `<producer id="${id}" in="0" out="${this.frames - 1}">${properties({ mlt_service: service, resource, length: this.frames })}${filters}</producer>`,
    );
    return id;
  }

  playlist(...entries) {
    const id = `playlist${this.count++}`;
    this.parts.push(playlist(id, entries));
    return id;
  }

  tractor(tracks, transitions) {
    const id = `tractor${this.count++}`;
    this.parts.push(tractor(id, tracks, transitions, this.frames));
    return id;
  }

  text(name, lines, size) {
    return this.producer('qimage', drawTextImage(join(this.folder, `${name}.png`), lines, size));
  }

  volume(gain) {
    return filter('volume', { gain, level: (20 * Math.log10(gain)).toFixed(3) });
  }

  /** The tracks over the first one: [playlist, place, rest of the transition]. */
  compose(first, images, sounds) {
    const all = [0, this.frames];
    const blends = images.map(([, rect], k) => transition('qtblend', [0, k + 1], all, { rect, compositing: 0, distort: 0 }));
    const mixes = sounds.map((_, k) => transition('mix', [0, images.length + k + 1], all, { sum: 1, always_active: 1 }));
    this.tractor([first, ...images.map(([track]) => track), ...sounds], [...blends, ...mixes]);
  }

  document() {
    const { width, height, fps } = canvas;
    const profile = `<profile width="${width}" height="${height}" progressive="1" sample_aspect_num="1" sample_aspect_den="1" display_aspect_num="16" display_aspect_den="9" frame_rate_num="${fps}" frame_rate_den="1" colorspace="709"/>`;
    return `<?xml version="1.0" encoding="utf-8"?>\n<mlt LC_NUMERIC="C" producer="tractor${this.count - 1}">${profile}${this.parts.join('\n')}</mlt>\n`;
  }
}

const logoRect = `1680 40 200 200 0.8`;
const fadeFrames = 15;

/** A photo of 4:3 that covers the canvas and grows about its middle. */
function growing(movie, shownFrames) {
  const frames = movie.sceneSeconds * canvas.fps;
  const rect = (grown) => {
    const width = canvas.width * grown;
    const height = (width * 3) / 4;
    return `${(canvas.width - width) / 2} ${(canvas.height - height) / 2} ${width} ${height} 1`;
  };
  const maxScale = 1 + 0.03 * movie.sceneSeconds;
  return filter('qtblend', { rect: `0=${rect(1)};${frames}=${rect(maxScale)};${shownFrames}=${rect(maxScale)}`, compositing: 0, distort: 0 });
}

const projects = {
  slideshow(movie, media, project) {
    const frames = movie.sceneSeconds * canvas.fps;
    const lanes = [[], []];
    const ends = [0, 0];
    const fades = [];
    movie.photos.forEach((path, k) => {
      const lane = k % 2;
      const shownFrames = frames + (k + 1 < movie.photos.length ? fadeFrames : 0);
      lanes[lane].push(blank(k * frames - ends[lane]), entry(project.producer('qimage', path), shownFrames, growing(movie, shownFrames)));
      ends[lane] = k * frames + shownFrames;
      if (k > 0) fades.push(transition('luma', [0, 1], [k * frames, k * frames + fadeFrames], lane === 0 ? { reverse: 1 } : {}));
    });
    const photos = project.tractor(
      lanes.map((entries) => project.playlist(...entries)),
      fades,
    );
    const titles = movie.titles.map((text, k) =>
      entry(
        project.text(`title-${k}`, [{ text, pixels: 96, y: 70 }], { width: 1600, height: 140 }),
        frames,
        filter('brightness', { level: 1, alpha: `0=0;${fadeFrames}=1` }),
      ),
    );
    const logo = project.playlist(entry(project.producer('qimage', media.logo), project.frames));
    const music = project.playlist(entry(project.producer('avformat', media.music), project.frames));
    project.compose(
      photos,
      [
        [project.playlist(...titles), '160 480 1600 140 1'],
        [logo, logoRect],
      ],
      [music],
    );
  },
  overlay(movie, media, project) {
    const { fps } = canvas;
    const frame = (seconds) => Math.round(seconds * fps);
    const { enters, leaves } = movie;
    const at = (seconds, x) => `${frame(seconds)}=${x} 820 900 140 1`;
    const box = project.text('box', [{ text: movie.text, pixels: 56, y: 70 }], { width: 900, height: 140, plate: 'black@0.6' });
    const clip = project.playlist(entry(project.producer('avformat', media.clip), project.frames, project.volume(0.6)));
    const music = project.playlist(entry(project.producer('avformat', media.music), project.frames, project.volume(0.2)));
    const logo = project.playlist(entry(project.producer('qimage', media.logo), project.frames));
    project.compose(
      clip,
      [
        [
          project.playlist(blank(frame(enters)), entry(box, frame(leaves + 0.5) - frame(enters))),
          [at(enters, -920), at(enters + 0.5, 80), at(leaves, 80), at(leaves + 0.5, -920)].join(';'),
        ],
        [logo, logoRect],
      ],
      [music],
    );
  },
  cards(movie, media, project) {
    const frames = movie.sceneSeconds * canvas.fps;
    const colours = movie.colours.map((colour) => entry(project.producer('color', colour), frames));
    const lines = movie.lines.map(([first, second], k) =>
      entry(
        project.text(
          `card-${k}`,
          [
            { text: first, pixels: 110, y: 80 },
            { text: second, pixels: 52, y: 245, weight: 400 },
          ],
          { width: 1600, height: 300 },
        ),
        frames,
      ),
    );
    const music = project.playlist(entry(project.producer('avformat', media.music), project.frames));
    project.compose(project.playlist(...colours), [[project.playlist(...lines), '160 380 1600 300 1']], [music]);
  },
};

export const melt = {
  name: 'melt',
  draws: (movie) => movie.name in projects,
  render(movie, { media, settings, places, output }) {
    const project = new Project(movie.frames, places.folder);
    projects[movie.name](movie, media, project);
    const path = join(places.folder, `${movie.name}.mlt`);
    writeFileSync(path, project.document());
    const { preset, crf, keyframeSeconds } = settings;
    const encoder = {
      ...{ vcodec: 'libx264', vprofile: 'high', preset, crf, g: keyframeSeconds * canvas.fps, pix_fmt: 'yuv420p' },
      ...{ acodec: 'aac', ab: '128k', ...soundSettings, ar: 48000, channels: 2, movflags: '+faststart', real_time: -2 },
    };
    const options = Object.entries(encoder).map(([name, value]) => `${name}=${value}`);
    // The Qt module asks for a display and does not use it.
    const env = { DISPLAY: ':0', QT_QPA_PLATFORM: 'offscreen', ...process.env };
    return measure(['melt', '-silent', path, '-consumer', `avformat:${output}`, ...options], { env });
  },
};
