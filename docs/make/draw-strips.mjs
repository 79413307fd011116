import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { withLocalRender } from '../../dist/cli/local-render.js';
import { loadConfig } from '../../dist/config/index.js';
import { planMovie } from '../../dist/render/index.js';
import { fileOf, strips } from './strips.mjs';
import { TILE } from './visual-strips.mjs';

const GAP = 4;
const LABEL = 14;
const QUALITY = 80;
const font = fileURLToPath(new URL('../../node_modules/@fontsource/inter/files/inter-latin-500-normal.woff2', import.meta.url));

/** Draws the strips of properties into docs/: those that are missing, or all. `media` is the folder of the images that they name. */
export async function drawStrips(docs, media, all) {
  for (const strip of strips) {
    const path = join(docs, fileOf(strip));
    if (!all && existsSync(path)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, await drawStrip(strip, media));
    await rename(`${path}.part`, path);
    console.log(`drew ${fileOf(strip)}`);
  }
}

/** One strip as WebP. */
export async function drawStrip({ of, columns, tiles }, media) {
  if (!GlobalFonts.has('Strip label')) GlobalFonts.registerFromPath(font, 'Strip label');
  const across = Math.min(columns, tiles.length);
  const rows = Math.ceil(tiles.length / columns);
  const canvas = createCanvas(across * (TILE.width + GAP) - GAP, rows * (TILE.height + LABEL + GAP) - GAP);
  const context = canvas.getContext('2d');
  context.font = "10px 'Strip label'";
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const frames = await composeAll(tiles, media).catch((error) => {
    throw new Error(`${of}: ${error.message} ${error.path ?? ''}`, { cause: error });
  });
  for (const [index, { label }] of tiles.entries()) {
    const x = (index % columns) * (TILE.width + GAP);
    const y = Math.floor(index / columns) * (TILE.height + LABEL + GAP);
    drawFrame(context, frames[index], x, y);
    // Readable on a light page and on a dark one.
    context.fillStyle = '#808080';
    context.fillText(label, x + TILE.width / 2, y + TILE.height + LABEL / 2, TILE.width);
  }
  return canvas.encode('webp', QUALITY);
}

/** The frames of tiles; those of one script are planned together. */
export async function composeAll(tiles, media) {
  const plans = new Map();
  const { signal } = new AbortController();
  const frames = [];
  const moviePath = join(media, 'strip.json');
  const config = loadConfig({ ...process.env, FRAMEWRIGHT_DATA_DIR: join(media, 'data') });
  await withLocalRender(moviePath, config, async (parts, workDir) => {
    for (const { script, at } of tiles) {
      const key = createHash('sha256').update(JSON.stringify(script)).digest('hex');
      if (!plans.has(key)) {
        const own = join(workDir, key);
        await mkdir(own);
        plans.set(key, await planMovie({ script, workDir: own, signal }, parts));
      }
      const { timeline } = plans.get(key);
      const frame = Math.min(timeline.canvas.frames - 1, Math.floor((at * timeline.canvas.fps.num) / timeline.canvas.fps.den + 0.02));
      frames.push(await parts.engine.composeFrame(Buffer.from(JSON.stringify(timeline)), frame, { signal }));
    }
  });
  return frames;
}

/** A composed frame as a canvas. */
export function canvasOf({ width, height, pixels }) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  image.data.set(pixels);
  context.putImageData(image, 0, 0);
  return canvas;
}

/** As large as fits into a tile; movies of another shape stand in its middle. */
function drawFrame(context, frame, x, y) {
  const { width, height } = frame;
  const scale = Math.min(1, TILE.width / width, TILE.height / height);
  context.drawImage(canvasOf(frame), x + (TILE.width - width * scale) / 2, y + (TILE.height - height * scale) / 2, width * scale, height * scale);
}
