import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeExampleMedia } from '../../dist/cli/demo/example-media.js';
import { drawContactSheet } from './draw-contact-sheet.mjs';
import { drawStrips } from './draw-strips.mjs';
import { examples } from './examples.mjs';

const run = promisify(execFile);
const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const examplesFolder = fileURLToPath(new URL('../../examples/', import.meta.url));
const TILE_WIDTH = 240;
const PREVIEW = { width: 720, height: 136 };
const MOVING = { width: 320, fps: 12, quality: 55 };
/** Of a moving sheet; its tiles are as wide as fit. */
const SHEET = { width: 720, fps: 8, quality: 28, gap: 4, label: 14 };

/** Draws the images of the reference into docs/: those that are missing, or all. */
export async function drawImages(docs, all) {
  const folder = join(docs, 'images');
  const work = await mkdtemp(join(tmpdir(), 'framewright-docs-'));
  try {
    const media = join(work, 'media');
    await cp(await makeExampleMedia(examplesFolder), media, { recursive: true });
    for (const example of examples) {
      const path = join(folder, `${example.name}.${example.extension}`);
      if (!all && existsSync(path)) continue;
      const drawn = join(work, `drawn.${example.extension}`);
      await draw(example, media, work, drawn);
      await run('cp', [drawn, `${path}.part`]);
      await rename(`${path}.part`, path);
      console.log(`drew ${example.name}`);
    }
    await drawStrips(docs, media, all);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function draw(example, media, work, path) {
  if (example.previews) return drawPreviews(example, work, path);
  if (example.entries !== undefined) return writeFile(path, await drawContactSheet(example, media));
  if (example.movingTiles !== undefined) return drawMovingSheet(example, media, work, path);
  if (example.tiles !== undefined) return drawSheet(example, media, work, path);
  if (example.at !== undefined) {
    await encodeStill(await drawStill(example, media, 'still'), path);
    return;
  }
  const movie = join(media, 'example.mp4');
  await framewright('render', await scriptFile(example.script, media), '-o', movie);
  const filter = `fps=${MOVING.fps},scale=${MOVING.width}:-2:flags=lanczos`;
  await run('ffmpeg', ['-v', 'error', '-y', '-i', movie, '-vf', filter, '-an', '-loop', '0', '-c:v', 'libwebp_anim', '-quality', `${MOVING.quality}`, path]);
}

async function drawPreviews({ name: sheetName, previews: packs, columns }, work, path) {
  const folder = join(work, `previews-${sheetName}`);
  for (const pack of packs) await framewright('packs', 'preview', pack, '-o', folder);
  const names = (await readdir(folder)).sort();
  const inputs = names.flatMap((name) => ['-i', join(folder, name)]);
  const labelled = names.map((name, index) => {
    const [, pack, component] = /^([a-z]+)-(.+)\.png$/.exec(name) ?? [];
    const label = `drawtext=text='${pack}/${component}':x=8:y=8:fontsize=16:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=5`;
    return `[${index}]scale=${PREVIEW.width}:${PREVIEW.height}:force_original_aspect_ratio=decrease,pad=${PREVIEW.width}:${PREVIEW.height}:(ow-iw)/2:(oh-ih)/2:white,${label}[p${index}]`;
  });
  const place = names.map((_, index) => `${(index % columns) * (PREVIEW.width + 4)}_${Math.floor(index / columns) * (PREVIEW.height + 4)}`).join('|');
  const graph = `${labelled.join(';')};${names.map((_, index) => `[p${index}]`).join('')}xstack=inputs=${names.length}:layout=${place}:fill=white`;
  const sheet = join(work, 'sheet.png');
  await run('ffmpeg', ['-v', 'error', '-y', ...inputs, '-filter_complex', graph, '-frames:v', '1', sheet]);
  await encodeStill(sheet, path);
}

async function drawSheet({ tiles, columns }, media, work, path) {
  for (const [index, tile] of tiles.entries()) {
    // Each by itself: movies of several sizes may stand in one sheet.
    const tilePath = join(work, `tile-${String(index).padStart(3, '0')}.png`);
    await run('ffmpeg', ['-v', 'error', '-y', '-i', await drawStill(tile, media, 'tile'), '-vf', `scale=${TILE_WIDTH}:-2:flags=area`, tilePath]);
  }
  const layout = `tile=${columns}x${Math.ceil(tiles.length / columns)}:padding=4:color=white`;
  const sheet = join(work, 'sheet.png');
  await run('ffmpeg', ['-v', 'error', '-y', '-framerate', '1', '-i', join(work, 'tile-%03d.png'), '-vf', layout, '-frames:v', '1', sheet]);
  await encodeStill(sheet, path);
  for (const index of tiles.keys()) await rm(join(work, `tile-${String(index).padStart(3, '0')}.png`));
}

/** Shorter tiles show their last frame until the longest one ends. */
async function drawMovingSheet({ movingTiles, columns }, media, work, path) {
  const { fps, gap, label } = SHEET;
  const width = 2 * Math.floor(((SHEET.width + gap) / columns - gap) / 2);
  const height = 2 * Math.round((width * 9) / 32);
  const files = [];
  for (const [index, { script }] of movingTiles.entries()) {
    const file = join(work, `moving-${index}.mp4`);
    await framewright('render', await scriptFile(script, media), '-o', file);
    files.push(file);
  }
  const seconds = Math.max(...movingTiles.map(({ script }) => script.scenes.reduce((sum, { duration }) => sum + duration, 0)));
  const tiles = movingTiles.map(
    ({ label: text }, index) =>
      `[${index}]fps=${fps},scale=${width}:${height}:flags=area,tpad=stop_mode=clone:stop_duration=${seconds},trim=duration=${seconds},` +
      `pad=${width}:${height + label}:0:0:white,drawtext=text='${text.replace(':', '\\:')}':x=(w-tw)/2:y=h-${label - 3}:fontsize=10:fontcolor=0x404040[t${index}]`,
  );
  const place = (index) => `${(index % columns) * (width + gap)}_${Math.floor(index / columns) * (height + label + gap)}`;
  const stack = `${files.map((_, index) => `[t${index}]`).join('')}xstack=inputs=${files.length}:layout=${files.map((_, index) => place(index)).join('|')}:fill=white`;
  const inputs = files.flatMap((file) => ['-i', file]);
  const graph = `${tiles.join(';')};${stack}`;
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...inputs,
    '-filter_complex',
    graph,
    '-an',
    '-loop',
    '0',
    '-c:v',
    'libwebp_anim',
    '-quality',
    `${SHEET.quality}`,
    path,
  ]);
}

async function drawStill({ script, at }, media, name) {
  const path = join(media, `${name}.png`);
  await framewright('frame', await scriptFile(script, media), '--at', String(at), '-o', path);
  return path;
}

async function encodeStill(from, to) {
  await run('ffmpeg', ['-v', 'error', '-y', '-i', from, '-c:v', 'libwebp', '-quality', '80', to]);
}

async function scriptFile(script, media) {
  const path = join(media, 'example.json');
  await writeFile(path, JSON.stringify(script));
  return path;
}

async function framewright(...args) {
  await run(process.execPath, [command, ...args], { env: { ...process.env, NO_COLOR: '1' } });
}
