import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeExampleMedia } from '../../dist/cli/demo/example-media.js';
import { makeMedia } from '../movies/media.mjs';
import { movies, templateScript } from '../movies/movies.mjs';

/**
 * `npm run bench -- identity --beside DIR`: renders every example and every movie of the bench with this checkout and with
 * another built one, and compares the decoded frames and samples by hash. For changes that must not change what is drawn.
 * Exits with 1 when a hash differs.
 */

const { values: options } = parseArgs({
  options: { beside: { type: 'string' }, only: { type: 'string' }, json: { type: 'string' }, quick: { type: 'boolean', default: true } },
  allowNegative: true,
});
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const checkouts = options.beside === undefined ? [root] : [resolve(options.beside), root];
const folder = mkdtempSync(join(tmpdir(), 'framewright-identity-'));

/** Scripts with the folder in which their relative media lie. */
async function listScripts() {
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  await makeExampleMedia(examples);
  const named = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.json'));
  for (const name of named) copyFileSync(join(root, 'examples', name), join(examples, name));
  const fromExamples = named.map((name) => ({ name: `examples/${name}`, path: join(examples, name) }));
  const bench = join(folder, 'movies');
  mkdirSync(bench);
  const media = makeMedia(bench, { quick: options.quick });
  const scripts = [...movies(media, options.quick).map(({ name, script }) => [name, script]), ['template', templateScript(media, options.quick, 'Ada')]];
  const fromBench = scripts.map(([name, script]) => {
    const path = join(dirname(media.logo), `${name}.json`);
    writeFileSync(path, JSON.stringify(script));
    return { name: `bench/${name}`, path };
  });
  return [...fromExamples, ...fromBench].filter(({ name }) => options.only === undefined || name.includes(options.only));
}

/** MD5 of the decoded frames and of the decoded samples, as ffmpeg computes them; `none` for a missing stream. */
function hashStreams(path) {
  const hash = (stream) => {
    const { stdout, status } = spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-map', stream, '-f', 'md5', '-'], { encoding: 'utf8' });
    return status === 0 ? stdout.trim().replace(/^MD5=/, '') : 'none';
  };
  return { video: hash('0:v:0'), audio: hash('0:a:0') };
}

/** Renders without any cache of an earlier run. */
function renderWith(checkout, script) {
  const data = mkdtempSync(join(folder, 'data-'));
  const output = join(data, 'output.mp4');
  const env = { ...process.env, FRAMEWRIGHT_DATA_DIR: data };
  const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'dist', 'cli', 'main.js'), 'render', script.path, '-o', output], {
    env,
    encoding: 'utf8',
  });
  const hashes = status === 0 && existsSync(output) ? hashStreams(output) : { video: `failed: ${stderr.trim().split('\n').at(-1)}`, audio: 'failed' };
  rmSync(data, { recursive: true, force: true });
  return hashes;
}

const rows = [];
try {
  for (const script of await listScripts()) {
    const results = checkouts.map((checkout) => renderWith(checkout, script));
    const same = results.every(({ video, audio }) => video === results[0].video && audio === results[0].audio && !video.startsWith('failed'));
    rows.push({ name: script.name, same, results });
    const { video, audio } = results.at(-1);
    console.log(
      `${script.name.padEnd(36)} video ${video}  audio ${audio}${checkouts.length === 1 ? '' : same ? '  same' : `  DIFFERS from ${results[0].video} ${results[0].audio}`}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
const differing = rows.filter(({ same }) => !same);
console.log(`${rows.length} movies, ${differing.length} ${differing.length === 1 ? 'differs' : 'differ'}`);
process.exitCode = rows.length === 0 || differing.length > 0 ? 1 : 0;
