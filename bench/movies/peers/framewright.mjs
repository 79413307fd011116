import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure } from '../measure.mjs';

const program = join(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))), 'dist', 'cli', 'main.js');

/** `data`: the folder that outlives a render; an empty one when absent, so that nothing comes from an earlier run. */
export function renderScript(script, { preset, crf }, { mediaFolder, folder }, output, data, options = []) {
  const own = data ?? mkdtempSync(join(folder, 'data-'));
  const path = join(mediaFolder, 'movie.json');
  writeFileSync(path, JSON.stringify(script));
  try {
    const env = { ...process.env, FRAMEWRIGHT_DATA_DIR: own };
    return measure([process.execPath, program, 'render', path, '-o', output, '--preset', preset, '--crf', String(crf), ...options], { env });
  } finally {
    if (data === undefined) rmSync(own, { recursive: true, force: true });
  }
}

export const framewright = {
  name: 'framewright',
  // In place of x264, at the preset `veryfast`.
  looksAhead: true,
  draws: () => true,
  render: (movie, { settings, places, output }) => renderScript(movie.script, settings, places, output),
};

/** Without stream copying: clips are encoded like everything else. */
export const framewrightWithoutCopying = {
  ...framewright,
  name: 'no copies',
  draws: (movie) => movie.isCopied === true,
  render: (movie, { settings, places, output }) => renderScript(movie.script, settings, places, output, undefined, ['--no-copy']),
};
