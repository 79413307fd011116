import type { Command } from 'commander';
import { type Config, loadConfig } from '../../config/index.js';
import { parseExports } from '../../delivery/exports/index.js';
import { loadPacks } from '../../graphics/components/index.js';
import { createOutbound } from '../../outbound/index.js';
import { createGenerationPolicy } from '../../providers/generation/index.js';
import { estimateMovie, parseMovie } from '../../script/index.js';
import { withMovieFile } from '../movie-file.js';

export function registerValidateCommand(program: Command): void {
  program
    .command('validate')
    .description('check a movie script and say what it would cost, without fetching or rendering anything')
    .argument('<movie>', 'movie script (JSON)')
    .option('--json', 'print one JSON object')
    .action(validate);
}

function validate(moviePath: string, options: { json?: boolean }): Promise<void> {
  return withMovieFile(moviePath, async (script) => tellMovie(moviePath, script, options));
}

function tellMovie(moviePath: string, script: unknown, options: { json?: boolean }): void {
  const config = loadConfig();
  const movie = parseMovie(script, {
    checkUrl: localUrlPolicy(config),
    components: loadPacks(config.packs.folder),
    checkGeneration: createGenerationPolicy(config.generation),
  });
  const { checkUrl, checkHost } = createOutbound(config.outbound);
  parseExports(movie.exports, { checkUrl, checkHost, hasMail: config.exports.mail !== undefined });
  const { durationSeconds, credits } = estimateMovie(movie);
  const { width, height } = movie;
  const fps = movie.fps.num / movie.fps.den;
  if (options.json) {
    console.log(JSON.stringify({ valid: true, width, height, fps, scenes: movie.scenes.length, durationSeconds, credits }));
    return;
  }
  console.log(
    `${moviePath} is valid: ${movie.scenes.length} scene(s), ${width} × ${height}, ${fps.toFixed(3).replace(/\.?0+$/, '')} fps, about ${durationSeconds} s, ${credits} credit(s)`,
  );
}

/** URLs as the service allows them, and files beside the movie by relative or absolute path. */
function localUrlPolicy(config: Config): (url: string) => string | undefined {
  const outbound = createOutbound(config.outbound);
  return (url) => (isRemote(url) ? outbound.checkUrl(url) : undefined);
}

function isRemote(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(url);
}
