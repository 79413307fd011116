import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config/index.js';
import { AppError } from '../../errors/index.js';
import { readScript, withLocalRender } from '../local-render.js';
import { numberOption } from '../options.js';

export function registerFrameCommand(program: Command): void {
  program
    .command('frame')
    .description('draw one frame of a movie script to a PNG file')
    .argument('<movie>', 'movie script (JSON)')
    .requiredOption('--at <seconds>', 'instant of the movie', numberOption(0, 1e7))
    .requiredOption('-o, --output <file>', 'picture file to write (.png)')
    .action(frame);
}

async function frame(moviePath: string, options: { at: number; output: string }): Promise<void> {
  const script = await readScript(moviePath);
  const outputPath = resolve(options.output);
  const { signal } = new AbortController();
  await withLocalRender(moviePath, loadConfig(), async (parts, workDir) => {
    const { planMovie } = await import('../../render/index.js');
    const { timeline, durationSeconds, warnings } = await planMovie({ script, workDir, signal }, parts);
    const { fps, frames } = timeline.canvas;
    // Tolerates the decimals of a frame's own time, e.g. 0.033 for the second frame at 30 fps.
    const index = Math.floor((options.at * fps.num) / fps.den + 0.02);
    if (index >= frames) {
      throw new AppError('INVALID_REQUEST', { message: `--at ${options.at} is past the end: the movie lasts ${durationSeconds} s.` });
    }
    const picture = await parts.engine.composeFrame(Buffer.from(JSON.stringify(timeline)), index, { signal });
    await mkdir(dirname(outputPath), { recursive: true });
    await writeFile(outputPath, await encodePng(picture));
    for (const warning of warnings) console.error(`warning: ${warning}`);
    console.log(`${outputPath} (frame ${index} of ${frames})`);
  });
}

/** The drawing library is there by now, where texts were drawn. */
async function encodePng(picture: { width: number; height: number; pixels: Buffer }): Promise<Buffer> {
  const { createCanvas } = await import('@napi-rs/canvas');
  const canvas = createCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(picture.width, picture.height);
  image.data.set(picture.pixels);
  context.putImageData(image, 0, 0);
  return canvas.encodeSync('png');
}
