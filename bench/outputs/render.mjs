import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure } from '../movies/measure.mjs';

const program = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist', 'cli', 'main.js');

/** Extensions of formats that are not their own. */
const extensions = { png: 'png', apng: 'png', 'webp-still': 'webp', jpeg: 'jpg', poster: 'jpg', hls: 'm3u8', dash: 'mpd' };
const fileOf = (folder, { name, format, sequence }) => join(folder, `${name}.${sequence === true ? 'zip' : (extensions[format] ?? format)}`);

/**
 * Renders the outputs of a script that shows a clip by the command line, with empty caches.
 * @returns the files by name, and `{wallSeconds, cpuSeconds, peakBytes}` of all its processes
 */
export function renderOutputs(clip, script, outputs, folder) {
  const own = mkdtempSync(join(folder, 'render-'));
  // Scripts name files beside them.
  copyFileSync(clip.path, join(own, basename(clip.path)));
  const moviePath = join(own, 'movie.json');
  writeFileSync(moviePath, JSON.stringify({ ...script, outputs }));
  const files = Object.fromEntries(outputs.map((output) => [output.name, fileOf(own, output)]));
  const named = Object.entries(files).flatMap(([name, path]) => ['--output', `${name}=${path}`]);
  const env = { ...process.env, FRAMEWRIGHT_DATA_DIR: join(own, 'data') };
  const cost = measure([process.execPath, program, 'render', moviePath, ...named], { env });
  rmSync(join(own, 'data'), { recursive: true, force: true });
  return { files, cost };
}

/** A clip that fills the canvas, with a line of text over it. */
export const clipMovie = ({ path }, { width, height, fps, seconds, ...more }) => ({
  width,
  height,
  fps,
  ...more,
  scenes: [
    {
      duration: seconds,
      elements: [
        { type: 'video', src: basename(path), resize: 'cover', muted: true },
        { type: 'text', text: 'Every deliverable', settings: { 'font-size': Math.round(height / 10), color: '#ffffff' }, y: Math.round(height * 0.75) },
      ],
    },
  ],
});

/** The clip on a transparent canvas: rounded, half transparent at its end, and a text with a soft shadow. */
export const transparentMovie = ({ path }, { width, height, fps, seconds, ...more }) => ({
  width,
  height,
  fps,
  ...more,
  background: 'transparent',
  scenes: [
    {
      duration: seconds,
      background: 'transparent',
      elements: [
        {
          type: 'video',
          src: basename(path),
          resize: 'cover',
          muted: true,
          x: Math.round(width / 8),
          y: Math.round(height / 8),
          width: Math.round(width * 0.6),
          height: Math.round(height * 0.6),
          'fade-out': seconds / 2,
        },
        { type: 'text', text: 'Every deliverable', settings: { 'font-size': Math.round(height / 10), color: '#ffffff' }, y: Math.round(height * 0.75) },
      ],
    },
  ],
});
