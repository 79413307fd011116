import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config/index.js';
import type { LocalParts } from '../local-parts.js';
import { withLocalRender } from '../local-render.js';
import { withMovieFile } from '../movie-file/movie-file.js';
import { cacheFolder, numberOption } from '../options.js';
import { painterFor } from '../paint.js';
import { UsageError } from '../usage-error.js';

interface FrameOptions {
  at: number;
  output: string;
  cache?: boolean;
  json?: boolean;
}

export function registerFrameCommand(program: Command): void {
  program
    .command('frame')
    .description('draw one frame of a movie script to a PNG file')
    .argument('<movie>', 'movie script (JSON)')
    .requiredOption('--at <seconds>', 'instant of the movie', numberOption(0, 1e7))
    .requiredOption('-o, --output <file>', 'picture file to write (.png)')
    .option('--no-cache', 'take no drawn texts from earlier runs and keep none for later ones')
    .option('--json', 'print one JSON object when done')
    .action((moviePath: string, options: FrameOptions) => withMovieFile(moviePath, (script) => frame(script, moviePath, options)));
}

async function frame(script: unknown, moviePath: string, options: FrameOptions): Promise<void> {
  const outputPath = resolve(options.output);
  const { signal } = new AbortController();
  // Nothing is encoded: which encoders there are need not be found out.
  const draw = async ({ encoders: _, ...parts }: LocalParts, workDir: string): Promise<void> => {
    const { planMovie } = await import('../../render/index.js');
    const { timeline, durationSeconds, warnings } = await planMovie({ script, workDir, signal }, parts);
    const { fps, frames } = timeline.canvas;
    // Tolerates the decimals of a frame's own time, e.g. 0.033 for the second frame at 30 fps.
    const index = Math.floor((options.at * fps.num) / fps.den + 0.02);
    if (index >= frames) {
      throw new UsageError(`--at ${options.at} is past the end: the movie lasts ${durationSeconds} s.`);
    }
    await mkdir(dirname(outputPath), { recursive: true });
    await parts.engine.writeFrame(Buffer.from(JSON.stringify(timeline)), index, outputPath, { signal });
    const paint = painterFor(process.stderr);
    for (const warning of warnings) console.error(`${paint('yellow', 'warning:')} ${warning}`);
    console.log(options.json === true ? JSON.stringify({ path: outputPath, frame: index, frames, warnings }) : `${outputPath} (frame ${index} of ${frames})`);
  };
  const config = loadConfig();
  await withLocalRender(moviePath, config, draw, { decodesAhead: true, cacheDir: cacheFolder(options.cache, config.cache) });
}
