import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../config/index.js';
import type { EngineProcess } from '../../engine/index.js';
import type { FramePlan, KeptPlans } from '../frame-plan/kept-plans.js';
import { folderOf, openLocalParts, withLocalEngine } from '../local-render.js';
import { withMovieFile } from '../movie-file/movie-file.js';
import { cacheFolder, numberOption } from '../options.js';
import { painterFor } from '../paint.js';
import { UsageError } from '../usage-error.js';

interface Movie {
  path: string;
  script: unknown;
  text: string;
}

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
    .option('--no-cache', 'take nothing from earlier runs and keep nothing for later ones')
    .option('--json', 'print one JSON object when done')
    .action((moviePath: string, options: FrameOptions) => withMovieFile(moviePath, (script, text) => frame({ path: moviePath, script, text }, options)));
}

async function frame(movie: Movie, options: FrameOptions): Promise<void> {
  const outputPath = resolve(options.output);
  const { signal } = new AbortController();
  const config = loadConfig();
  const cacheDir = cacheFolder(options.cache, config.cache);
  await withLocalEngine(movie.path, config, async (engine, workDir) => {
    const plans = cacheDir === false || config.engine.encoder !== 'auto' ? undefined : await openPlans(movie, { config, cacheDir, workDir });
    const { plan, keeping } = await planOf(movie, { engine, workDir, config, cacheDir, plans, signal });
    const { timeline, durationSeconds, warnings } = plan;
    const { fps, frames } = timeline.canvas;
    // Tolerates the decimals of a frame's own time, e.g. 0.033 for the second frame at 30 fps.
    const index = Math.floor((options.at * fps.num) / fps.den + 0.02);
    try {
      if (index >= frames) {
        throw new UsageError(`--at ${options.at} is past the end: the movie lasts ${durationSeconds} s.`);
      }
      await mkdir(dirname(outputPath), { recursive: true });
      await engine.writeFrame(Buffer.from(JSON.stringify(timeline)), index, outputPath, { signal });
    } finally {
      await keeping;
    }
    const paint = painterFor(process.stderr);
    for (const warning of warnings) console.error(`${paint('yellow', 'warning:')} ${warning}`);
    console.log(options.json === true ? JSON.stringify({ path: outputPath, frame: index, frames, warnings }) : `${outputPath} (frame ${index} of ${frames})`);
  });
}

async function openPlans({ path, text }: Movie, { config, cacheDir, workDir }: { config: Config; cacheDir: string; workDir: string }): Promise<KeptPlans> {
  const [{ openKeptPlans }, { openDrawings }] = await Promise.all([import('../frame-plan/kept-plans.js'), import('../drawings-cache.js')]);
  return openKeptPlans({ drawings: openDrawings(cacheDir, config.cache), config, folder: folderOf(path), text, workDir });
}

interface Planning {
  engine: EngineProcess;
  workDir: string;
  config: Config;
  cacheDir: string | false;
  plans: KeptPlans | undefined;
  signal: AbortSignal;
}

/** An earlier run's, where there is one that still holds: for that, nothing that reads scripts and draws texts need be loaded. */
async function planOf(
  { path, script }: Movie,
  { engine, workDir, config, cacheDir, plans, signal }: Planning,
): Promise<{ plan: FramePlan; keeping?: Promise<void> }> {
  const kept = await plans?.take();
  if (kept !== undefined) return { plan: kept };
  // Nothing is encoded: which encoders there are need not be found out.
  const { encoders: _, ...parts } = await openLocalParts(path, config, { engine, workDir }, { cacheDir, decodesAhead: true });
  const { planMovie } = await import('../../render/index.js');
  const plan = await planMovie({ script, workDir, signal }, parts);
  return plans === undefined ? { plan } : { plan, keeping: plans.keep(plan, parts.sprites.fonts.dependsOnSystem) };
}
