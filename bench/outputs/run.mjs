// What the outputs of one job are worth: npm run bench -- outputs [--clips FOLDER] [--only matrix,gif,together,memory] [--json FILE]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../movies/measure.mjs';
import { measureMemory, measureTogether } from './costs.mjs';
import { compareGifs } from './gifs.mjs';
import { measureMatrix } from './matrix.mjs';

const { values } = parseArgs({
  options: {
    clips: { type: 'string' },
    only: { type: 'string', default: 'matrix,gif,together,memory' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'bench-outputs-'));
const trials = { matrix: measureMatrix, gif: compareGifs, together: measureTogether, memory: measureMemory };

/** Clips of the folder, or else three that ffmpeg draws, which say less. */
function findClips() {
  if (values.clips !== undefined) {
    const names = readdirSync(values.clips).filter((name) => ['.mp4', '.mkv', '.mov', '.webm', '.y4m'].includes(extname(name)));
    if (names.length === 0) throw new Error(`${values.clips} has no clip.`);
    return names.map((name) => ({ name: name.slice(0, -extname(name).length), path: resolve(values.clips, name) }));
  }
  const drawn = { fractal: 'mandelbrot=s=1280x720:r=25', pattern: 'testsrc2=s=1280x720:r=25', grain: 'color=0x506070:s=1280x720:r=25,noise=alls=12:allf=t' };
  return Object.entries(drawn).map(([name, graph]) => {
    const path = join(folder, `${name}.mp4`);
    run(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', graph, '-t', '6', '-pix_fmt', 'yuv420p', '-crf', '12', path]);
    return { name, path };
  });
}

try {
  const clips = findClips();
  const results = {};
  for (const name of values.only.split(',')) {
    if (!Object.hasOwn(trials, name)) throw new Error(`--only takes ${Object.keys(trials).join(', ')}, not "${name}".`);
    results[name] = await trials[name]({ clips, folder, rounds: Number(values.rounds) });
  }
  if (values.json !== undefined) {
    mkdirSync(dirname(resolve(values.json)), { recursive: true });
    writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
