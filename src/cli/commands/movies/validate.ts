import type { Command } from 'commander';
import { loadConfig } from '../../../config/index.js';
import { parseExports } from '../../../delivery/exports/index.js';
import { loadPacks } from '../../../graphics/components/index.js';
import { createOutbound } from '../../../outbound/index.js';
import { createGenerationPolicy } from '../../../providers/generation/index.js';
import { createPricing } from '../../../providers/pricing/index.js';
import { estimateMovie, parseMovie } from '../../../script/index.js';
import { withMovieFile } from '../../movie-file.js';

export function registerValidateCommand(program: Command): void {
  program
    .command('validate')
    .description('check a movie script and estimate its cost, without fetching or rendering anything')
    .argument('<movie>', 'movie script (JSON)')
    .option('--json', 'print one JSON object')
    .action(validate);
}

function validate(moviePath: string, options: { json?: boolean }): Promise<void> {
  return withMovieFile(moviePath, async (script) => validateScript(moviePath, script, options));
}

function validateScript(moviePath: string, script: unknown, options: { json?: boolean }): void {
  const config = loadConfig();
  const { checkUrl, checkHost } = createOutbound(config.outbound);
  const movie = parseMovie(script, {
    // Sources without a scheme are local files.
    checkUrl: (url) => (/^[a-z][a-z0-9+.-]*:/i.test(url) ? checkUrl(url) : undefined),
    components: loadPacks(config.packs.folder),
    checkGeneration: createGenerationPolicy(config.generation),
  });
  parseExports(movie.exports, { checkUrl, checkHost, hasMail: config.exports.mail !== undefined });
  const { durationSeconds, credits, providerCredits } = estimateMovie(movie, createPricing(config));
  const { width, height } = movie;
  const fps = movie.fps.num / movie.fps.den;
  if (options.json) {
    console.log(JSON.stringify({ valid: true, width, height, fps, scenes: movie.scenes.length, durationSeconds, credits, providerCredits }));
    return;
  }
  console.log(
    `${moviePath} is valid: ${movie.scenes.length} scene(s), ${width} × ${height}, ${fps.toFixed(3).replace(/\.?0+$/, '')} fps, about ${durationSeconds} s, ${credits} credit(s)${providerCredits > 0 ? `, ${providerCredits} of them for provider services` : ''}`,
  );
}
