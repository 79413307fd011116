import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../config/index.js';
import type { EngineProcess } from '../../engine/index.js';
import type { FramePlan, KeptPlans } from '../frame-plan/kept-plans.js';
import type { KeptStills } from '../frame-plan/kept-stills.js';
import { isUnwanted } from '../frame-plan/unwanted.js';
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

interface Drawing {
  engine: EngineProcess;
  workDir: string;
  config: Config;
  cacheDir: string | false;
  signal: AbortSignal;
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
    .action((moviePath: string, options: FrameOptions) => frame(moviePath, options));
}

async function frame(path: string, options: FrameOptions): Promise<void> {
  const config = loadConfig();
  const cacheDir = cacheFolder(options.cache, config.cache);
  const drawing = (engine: EngineProcess, workDir: string): Drawing => ({ engine, workDir, config, cacheDir, signal: new AbortController().signal });
  // The engine first: it starts while the script is read.
  await withLocalEngine(path, config, (engine, workDir) =>
    withMovieFile(path, (script, text) => drawFrame({ path, script, text }, drawing(engine, workDir), options)),
  );
}

async function drawFrame(movie: Movie, drawing: Drawing, options: FrameOptions): Promise<void> {
  const outputPath = resolve(options.output);
  const kept = await openKept(movie, drawing);
  const { plan, keeping, isKept } = await planOf(movie, drawing, kept?.plans);
  const stills = isKept ? kept?.stills : undefined;
  const { timeline, durationSeconds, warnings } = plan;
  const { fps, frames } = timeline.canvas;
  // Tolerates the decimals of a frame's own time, e.g. 0.033 for the second frame at 30 fps.
  const index = Math.floor((options.at * fps.num) / fps.den + 0.02);
  try {
    if (index >= frames) {
      throw new UsageError(`--at ${options.at} is past the end: the movie lasts ${durationSeconds} s.`);
    }
    await Promise.all([mkdir(dirname(outputPath), { recursive: true }), stills?.take(timeline, index)]);
    await drawing.engine.writeFrame(Buffer.from(JSON.stringify(timeline)), index, outputPath, {
      signal: drawing.signal,
      ...(stills && { stillsFolder: stills.folder }),
    });
    await stills?.keep();
  } finally {
    await keeping;
  }
  const paint = painterFor(process.stderr);
  for (const warning of warnings) console.error(`${paint('yellow', 'warning:')} ${warning}`);
  console.log(options.json === true ? JSON.stringify({ path: outputPath, frame: index, frames, warnings }) : `${outputPath} (frame ${index} of ${frames})`);
}

interface Kept {
  plans: KeptPlans;
  stills: KeptStills;
}

/** Undefined: nothing is kept, or the operator relies on an encoder, which is looked for each time. */
async function openKept({ path, text }: Movie, { config, cacheDir, workDir }: Drawing): Promise<Kept | undefined> {
  if (cacheDir === false || config.engine.encoder !== 'auto') return undefined;
  const [{ openKeptPlans }, { openKeptStills }, { buildKey }, { openDrawings }] = await Promise.all([
    import('../frame-plan/kept-plans.js'),
    import('../frame-plan/kept-stills.js'),
    import('../frame-plan/plan-key.js'),
    import('../drawings-cache.js'),
  ]);
  const shared = { drawings: openDrawings(cacheDir, config.cache), build: buildKey(config), workDir };
  return { plans: openKeptPlans({ ...shared, folder: folderOf(path), text }), stills: openKeptStills(shared) };
}

interface Planned {
  plan: FramePlan;
  keeping?: Promise<void>;
  /** What the frame is drawn by may be kept, and taken from earlier runs. */
  isKept: boolean;
}

/** An earlier run's, where there is one that still holds: for that, nothing that reads scripts and draws texts need be loaded. */
async function planOf(movie: Movie, drawing: Drawing, plans: KeptPlans | undefined): Promise<Planned> {
  const { workDir, config, cacheDir, signal } = drawing;
  const kept = await plans?.take();
  if (kept !== undefined) return { plan: kept, isKept: true };
  // Nothing is encoded: which encoders there are need not be found out.
  const { encoders: _, ...parts } = await openLocalParts(movie.path, config, drawing, { cacheDir, decodesAhead: true });
  const { planMovie } = await import('../../render/index.js');
  const plan = await planMovie({ script: movie.script, workDir, signal }, parts);
  const keeping = plans?.keep(plan, parts.sprites.fonts.dependsOnSystem);
  return { plan, ...(keeping && { keeping }), isKept: !isUnwanted(plan.movie) };
}
