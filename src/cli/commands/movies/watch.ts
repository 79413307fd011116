import type { Command } from 'commander';
import { numberOption } from '../../options.js';
import type { WatchOptions } from '../../watch/watch-movie.js';

export function registerWatchCommand(program: Command): void {
  program
    .command('watch')
    .description('render a movie again whenever its script or a file that it names changes; unchanged scenes are reused')
    .argument('<movie>', 'movie script (JSON)')
    .option('-o, --output <file>', 'video (.mp4) or image (.png) to write; default: beside the script, with its name')
    .option('--at <seconds>', 'draw only the frame at this time, to a .png file', numberOption(0, 1e7))
    .option('--cache <folder>', 'cache folder; default: FRAMEWRIGHT_CACHE_DIR, else your cache folder')
    .option('--json', 'print one line of JSON for each change')
    .action(async (movie: string, options: WatchOptions) => (await import('../../watch/watch-movie.js')).watchMovie(movie, options));
}
