import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../../config/index.js';
import type { EngineProcess } from '../../../engine/index.js';
import { formatProblem } from '../../../errors/index.js';
import { UsageError } from '../../exit-codes.js';
import { optsOutOfCache } from '../../frame-cache/cache-opt-out.js';
import type { FramePlan, PlanCache } from '../../frame-cache/plan-cache.js';
import { folderOf, openLocalParts, withLocalEngine } from '../../local-render.js';
import { withMovieFile } from '../../movie-file.js';
import { cacheFolder, numberOption } from '../../options.js';
import { painterFor } from '../../paint.js';
import { collectSettings, setOption, setVariables } from '../../set-variables.js';

interface Movie {
  path: string;
  script: unknown;
  text: string;
}

interface FrameContext {
  engine: EngineProcess;
  workDir: string;
  config: Config;
  cacheDir: string | false;
  signal: AbortSignal;
}

interface FrameOptions {
  at: number;
  output: string;
  set?: string[];
  cache?: boolean;
  json?: boolean;
}

export function registerFrameCommand(program: Command): void {
  program
    .command('frame')
    .description('draw one frame of a movie to a PNG file')
    .argument('<movie>', 'movie script (JSON)')
    .requiredOption('--at <seconds>', 'time of the frame', numberOption(0, 1e7))
    .requiredOption('-o, --output <file>', 'image file to write (.png)')
    .option(...setOption, collectSettings)
    .option('--no-cache', 'neither read nor write the frame cache')
    .option('--json', 'print one JSON object when done')
    .action((moviePath: string, options: FrameOptions) => frame(moviePath, options));
}

async function frame(path: string, options: FrameOptions): Promise<void> {
  const config = loadConfig();
  const cacheDir = cacheFolder(options.cache, config.cache);
  const { signal } = new AbortController();
  // The engine starts while the script is read.
  await withLocalEngine(config, [folderOf(path)], (engine, workDir) =>
    withMovieFile(path, (given, written) => {
      const script = setVariables(given, options.set);
      const text = script === given ? written : JSON.stringify(script);
      return drawFrame({ path, script, text }, { engine, workDir, config, cacheDir, signal }, options);
    }),
  );
}

async function drawFrame(movie: Movie, context: FrameContext, options: FrameOptions): Promise<void> {
  const outputPath = resolve(options.output);
  const cache = await openFrameCache(movie, context);
  const { plan, storing, isCacheable } = await planFrame(movie, context, cache?.plans);
  const stills = isCacheable ? cache?.stills : undefined;
  const { timeline, durationSeconds } = plan;
  const warnings = plan.warnings.map(formatProblem);
  const { fps, frames } = timeline.canvas;
  // The offset accepts rounded frame times, e.g. 0.033 for the second frame at 30 fps.
  const index = Math.floor((options.at * fps.num) / fps.den + 0.02);
  try {
    if (index >= frames) {
      throw new UsageError(`--at ${options.at} is past the end: the movie lasts ${durationSeconds} s.`);
    }
    await Promise.all([mkdir(dirname(outputPath), { recursive: true }), stills?.load(timeline, index)]);
    await context.engine.writeFrame(Buffer.from(JSON.stringify(timeline)), index, outputPath, {
      signal: context.signal,
      ...(stills && { stillsFolder: stills.folder }),
    });
    await stills?.store();
  } finally {
    await storing;
  }
  const paint = painterFor(process.stderr);
  for (const warning of warnings) console.error(`${paint('yellow', 'warning:')} ${warning}`);
  console.log(options.json === true ? JSON.stringify({ path: outputPath, frame: index, frames, warnings }) : `${outputPath} (frame ${index} of ${frames})`);
}

/** Undefined if caching is off, or if FRAMEWRIGHT_ENCODER names an encoder, whose availability is checked on every run. */
async function openFrameCache({ path, text }: Movie, { config, cacheDir, workDir }: FrameContext) {
  if (cacheDir === false || config.engine.encoder !== 'auto') return undefined;
  const [{ PlanCache }, { StillCache }, { buildKey }, { openSpriteCache }] = await Promise.all([
    import('../../frame-cache/plan-cache.js'),
    import('../../frame-cache/still-cache.js'),
    import('../../frame-cache/cache-key.js'),
    import('../../frame-cache/sprite-cache.js'),
  ]);
  const shared = { drawings: openSpriteCache(cacheDir, config.cache), build: buildKey(config), workDir };
  return { plans: new PlanCache({ ...shared, folder: folderOf(path), text }), stills: new StillCache(shared) };
}

interface PlannedFrame {
  plan: FramePlan;
  storing?: Promise<void>;
  /** Whether the script allows caching of its stills. */
  isCacheable: boolean;
}

/** Uses the cached plan of an earlier run if it is still valid, so that neither the script parser nor the text renderer is loaded. */
async function planFrame(movie: Movie, context: FrameContext, plans: PlanCache | undefined): Promise<PlannedFrame> {
  const { workDir, config, cacheDir, signal } = context;
  const cached = await plans?.load();
  if (cached !== undefined) return { plan: cached, isCacheable: true };
  // Nothing is encoded, so the encoders are not probed.
  const { encoders: _, ...parts } = await openLocalParts(movie.path, config, context, { cacheDir, decodesAhead: true });
  const { planMovie } = await import('../../../render/index.js');
  const plan = await planMovie({ script: movie.script, workDir, signal }, parts);
  const storing = plans?.store(plan, parts.sprites.fonts.dependsOnSystem);
  return { plan, ...(storing && { storing }), isCacheable: !optsOutOfCache(plan.movie) };
}
