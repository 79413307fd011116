import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { beforeAll, expect, it, vi } from 'vitest';
import { makeExampleMedia } from '../../../src/cli/demo/example-media.js';
import { withLocalRender } from '../../../src/cli/local-render.js';
import { loadConfig } from '../../../src/config/index.js';
import { planMovie } from '../../../src/render/index.js';
import { composeGolden } from '../../support/both-compositors.js';
import { expectGolden, type Image } from '../../support/golden-image.js';

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const moments = 4;
/** Pixels of a cell's longer side. */
const cell = 192;

// A device in software takes its time over whole frames, of which the long form draws them all.
vi.setConfig({ testTimeout: 300_000 });
beforeAll(() => makeExampleMedia(folder), 900_000);

/** Smaller, so that an edge that another library smooths otherwise is lost among its neighbours. */
function addToSheet(sheet: Canvas, frame: Image, left: number, height: number): void {
  const whole = createCanvas(frame.width, frame.height);
  const context = whole.getContext('2d');
  const image = context.createImageData(frame.width, frame.height);
  image.data.set(frame.pixels);
  context.putImageData(image, 0, 0);
  const to = sheet.getContext('2d');
  to.imageSmoothingQuality = 'high';
  to.drawImage(whole, left, 0, sheet.width / moments, height);
}

it.each(names)('%s matches its expected image', async (name) => {
  const script = JSON.parse(readFileSync(folder + name, 'utf8'));
  const sheet = await withLocalRender(folder + name, loadConfig(), async (parts, workDir): Promise<Image> => {
    const { timeline, warnings } = await planMovie({ script, workDir, signal: new AbortController().signal }, parts);
    expect(warnings).toEqual([]);
    const { canvas } = timeline;
    const scale = cell / Math.max(canvas.width, canvas.height);
    const [width, height] = [Math.round(canvas.width * scale), Math.round(canvas.height * scale)];
    const drawn = createCanvas(width * moments, height);
    const frames = Array.from({ length: moments }, (_, moment) => Math.floor(((moment + 0.5) * canvas.frames) / moments));
    for (const [moment, frame] of (await composeGolden(parts.engine, timeline, frames)).entries()) addToSheet(drawn, frame, moment * width, height);
    return { width: drawn.width, height, pixels: drawn.getContext('2d').getImageData(0, 0, drawn.width, height).data };
  });
  await expectGolden(import.meta.url, name.replace(/\.json$/, ''), sheet, { tolerance: 24, maxBytes: 150_000 });
});
