// Collects the clips of corpus.mjs: node bench/footage/collect.mjs --out FOLDER [--only ID,ID] [--clones FOLDER]
// Files come from public repositories over HTTPS at a pinned commit, or from a folder of clones (OWNER+NAME), and from Debian packages.
// Writes FOLDER/ID.y4m (lossless), FOLDER/sources.md (source, licence, hash) and FOLDER/clips.json.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { clips, repositories } from './corpus.mjs';
import { hashes } from './hashes.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' }, clones: { type: 'string' }, only: { type: 'string' }, pin: { type: 'boolean' } } });
if (values.out === undefined) throw new Error('Give a folder: --out FOLDER');
const out = resolve(values.out);
const sources = join(out, 'sources');
mkdirSync(sources, { recursive: true });

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

function run(program, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 1 << 30, ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${stderr}`);
  return stdout;
}

async function fromRepository({ repository, path }) {
  const [name, commit] = repositories[repository];
  const clone =
    values.clones &&
    ['/repo/.git', '/repo', '/.git', ''].map((end) => join(values.clones, name.replace('/', '+') + end)).find((at) => existsSync(join(at, 'HEAD')));
  if (clone) return run('git', ['-C', clone, 'cat-file', 'blob', `${commit}:${path}`]);
  const address = `https://raw.githubusercontent.com/${name}/${commit}/${path}`;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: HTTP ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

function fromPackage({ package: name, path }) {
  const folder = join(sources, name);
  if (!existsSync(folder)) {
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    run('apt-get', ['download', name], { cwd: partial });
    run('sh', ['-c', 'dpkg-deb -x *.deb . && rm *.deb'], { cwd: partial });
    renameSync(partial, folder);
  }
  const bytes = readFileSync(join(folder, path));
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

const pinned = {};
/** Path of the source file, downloaded once and checked against its hash. */
async function sourceFile(from) {
  const key = from.repository === undefined ? `${from.package}:${from.path}` : `${repositories[from.repository][0]}:${from.path}`;
  const file = join(sources, key.replace(/[^\w.-]+/g, '_'));
  if (!existsSync(file)) writeFileSync(file, from.repository === undefined ? fromPackage(from) : await fromRepository(from));
  const hash = sha256(readFileSync(file));
  pinned[key] = hash;
  if (!values.pin && hashes[key] !== hash) {
    rmSync(file);
    throw new Error(`${key} has the SHA-256 ${hash}, not ${hashes[key]}`);
  }
  return { file, key, hash };
}

/** ffmpeg arguments that make the clip from its sources. */
async function graphOf(clip, file) {
  const cut = ['-ss', String(clip.start), '-t', String(clip.seconds), '-i', file];
  if (clip.slides === undefined) return [...cut, '-vf', clip.filter ?? 'null'];
  const images = [];
  for (const path of clip.slides) images.push((await sourceFile({ package: 'opencv-doc', path: `usr/share/doc/opencv-doc/${path}` })).file);
  const each = clip.seconds / images.length + 0.5;
  const inputs = images.flatMap((image) => ['-loop', '1', '-framerate', '25', '-t', String(each), '-f', 'image2', '-i', image]);
  const fit = 'scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720:-1:-1:white,setsar=1,format=yuv420p';
  const graph = `[1]${fit}[a];[2]${fit}[b];[a][b]xfade=duration=0.5:offset=${each - 0.5}[slides];[0]scale=240:240,setsar=1[head];[slides][head]overlay=1020:460:shortest=1`;
  return [...cut, ...inputs, '-filter_complex', graph, '-t', String(clip.seconds)];
}

const known = [];
const lines = ['| clip | kind | half | size | frames | source | licence | SHA-256 | made |', '| --- | --- | --- | --- | --: | --- | --- | --- | --- |'];
const chosen = values.only?.split(',') ?? clips.map(({ id }) => id);
const unknown = chosen.filter((id) => !clips.some((clip) => clip.id === id));
if (unknown.length > 0) throw new Error(`--only: ${unknown.join(', ')} must be ids of corpus.mjs: ${clips.map(({ id }) => id).join(', ')}`);
for (const clip of clips.filter(({ id }) => chosen.includes(id))) {
  const { file, key, hash } = await sourceFile(clip.from);
  const path = join(out, `${clip.id}.y4m`);
  if (!existsSync(path)) {
    run('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      '-y',
      ...(await graphOf(clip, file)),
      '-map_metadata',
      '-1',
      '-an',
      '-pix_fmt',
      'yuv420p',
      '-fps_mode',
      'cfr',
      '-f',
      'yuv4mpegpipe',
      `${path}.partial`,
    ]);
    renameSync(`${path}.partial`, path);
  }
  const [width, height, rate, frames] = String(
    run('ffprobe', ['-v', 'error', '-count_packets', '-show_entries', 'stream=width,height,r_frame_rate,nb_read_packets', '-of', 'csv=p=0', path]),
  )
    .trim()
    .split(',');
  const licence = clip.from.repository === undefined ? 'see the package' : repositories[clip.from.repository][2];
  const commit = clip.from.repository === undefined ? '' : `@${repositories[clip.from.repository][1].slice(0, 12)}`;
  lines.push(
    `| ${clip.id} | ${clip.kind} | ${clip.half} | ${width}x${height}, ${rate} | ${frames} | ${key.replace(':', `${commit}:`)} | ${licence} | ${hash} | ${clip.made ?? ''} |`,
  );
  known.push({
    id: clip.id,
    kind: clip.kind,
    half: clip.half,
    width: Number(width),
    height: Number(height),
    frames: Number(frames),
    rate,
    sha256: sha256(readFileSync(path)),
  });
  console.log(`${clip.id}: ${width}x${height}, ${rate}, ${frames} frames`);
}
writeFileSync(join(out, 'sources.md'), `${lines.join('\n')}\n`);
writeFileSync(join(out, 'clips.json'), `${JSON.stringify(known, undefined, 1)}\n`);
if (values.pin) {
  const entries = Object.entries(pinned).map(([key, hash]) => `  '${key}': '${hash}',`);
  writeFileSync(new URL('./hashes.mjs', import.meta.url), `/** SHA-256 of every source file. */\nexport const hashes = {\n${entries.join('\n')}\n};\n`);
}
