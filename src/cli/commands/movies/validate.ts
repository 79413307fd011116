import type { Command } from 'commander';
import { type Config, loadConfig } from '../../../config/index.js';
import { parseExports } from '../../../delivery/exports/index.js';
import { loadPacks } from '../../../graphics/components/index.js';
import { createGenerationPolicy } from '../../../providers/generation/index.js';
import { createPricing } from '../../../providers/pricing/index.js';
import { countUnknownLengths, estimateMovie, type Movie, parseMovie } from '../../../script/index.js';
import { exportPolicyOf } from '../../export-policy.js';
import { withLocalRender } from '../../local-render.js';
import { withMovieFile } from '../../movie-file.js';
import { collectSettings, setOption, setVariables } from '../../set-variables.js';

interface ValidateOptions {
  probe?: boolean;
  set?: string[];
  json?: boolean;
}

/** Length and cost of a movie, and how many lengths of files and voices in them are estimated. */
interface Measured {
  movie: Movie;
  durationSeconds: number;
  credits: number;
  providerCredits: number;
  estimatedLengths: number;
}

export function registerValidateCommand(program: Command): void {
  program
    .command('validate')
    .description('check a movie script and estimate its length and cost, without rendering anything')
    .argument('<movie>', 'movie script (JSON)')
    .option(...setOption, collectSettings)
    .option('--probe', 'fetch the media and use their lengths; nothing is bought from provider services')
    .option('--json', 'print one JSON object')
    .action(validate);
}

function validate(moviePath: string, options: ValidateOptions): Promise<void> {
  return withMovieFile(moviePath, async (given) => {
    const script = setVariables(given, options.set);
    const config = loadConfig();
    const movie = parseScript(script, config);
    print(moviePath, options.probe ? await probe(moviePath, script, config) : estimate(movie, config), options);
  });
}

function parseScript(script: unknown, config: Config): Movie {
  const policy = exportPolicyOf(config);
  const movie = parseMovie(script, {
    // Sources without a scheme are local files.
    checkUrl: (url) => (/^[a-z][a-z0-9+.-]*:/i.test(url) ? policy.checkUrl(url) : undefined),
    components: loadPacks(config.packs.folder),
    checkGeneration: createGenerationPolicy(config.generation),
  });
  parseExports(movie.exports, { ...policy, outputs: movie.outputs });
  return movie;
}

function estimate(movie: Movie, config: Config): Measured {
  const { durationSeconds, credits, providerCredits } = estimateMovie(movie, createPricing(config));
  return { movie, durationSeconds, credits, providerCredits, estimatedLengths: countUnknownLengths(movie) };
}

async function probe(moviePath: string, script: unknown, config: Config): Promise<Measured> {
  const { measureMovie } = await import('../../../render/index.js');
  const { signal } = new AbortController();
  const measured = await withLocalRender(moviePath, config, (parts, workDir) => measureMovie({ script, workDir, signal }, parts));
  const { providerCredits } = estimateMovie(measured.movie, createPricing(config));
  return { ...measured, credits: measured.credits + providerCredits, providerCredits };
}

function print(moviePath: string, { movie, durationSeconds, credits, providerCredits, estimatedLengths }: Measured, options: ValidateOptions): void {
  const { width, height } = movie;
  const fps = movie.fps.num / movie.fps.den;
  const scenes = movie.scenes.length;
  if (options.json) {
    console.log(JSON.stringify({ valid: true, width, height, fps, scenes, durationSeconds, credits, providerCredits, estimatedLengths }));
    return;
  }
  const about = estimatedLengths > 0 ? 'about ' : '';
  const ofProviders = providerCredits > 0 ? `, ${providerCredits} of them for provider services` : '';
  console.log(
    `${moviePath} is valid: ${scenes} scene(s), ${width} × ${height}, ${fps.toFixed(3).replace(/\.?0+$/, '')} fps, ${about}${Number(durationSeconds.toFixed(2))} s, ${about}${credits} credit(s)${ofProviders}`,
  );
  if (estimatedLengths > 0) console.log(`The length of ${estimatedLengths} file(s) or voice(s) is unknown and was estimated.${hint(options)}`);
}

function hint({ probe }: ValidateOptions): string {
  return probe ? ' They are known when a provider service has made them.' : ' --probe fetches the files and uses their lengths.';
}
