import type { Command } from 'commander';
import { numberOption } from '../options.js';
import type { WatchOptions } from '../watch/watch-movie.js';

export function registerWatchCommand(program: Command): void {
  program
    .command('watch')
    .description('render a movie script again whenever it, or a file that it names, is changed; what has not changed is not drawn again')
    .argument('<movie>', 'movie script (JSON)')
    .option('-o, --output <file>', 'video (.mp4) or picture (.png) to write; default: beside the script, with its name')
    .option('--at <seconds>', 'a picture of this instant instead of the whole movie', numberOption(0, 1e7))
    .option('--cache <folder>', 'keep encoded scenes and drawn texts here; default: FRAMEWRIGHT_CACHE_DIR, else the cache folder of your account')
    .option('--json', 'print one JSON object a line for each change')
    .action(async (movie: string, options: WatchOptions) => (await import('../watch/watch-movie.js')).watchMovie(movie, options));
}
