import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../exit-codes.js';

interface InitOptions {
  force?: boolean;
  json?: boolean;
}

export function registerInitCommand(program: Command): void {
  program
    .command('init')
    .description('write a starter movie script')
    .argument('[folder]', 'folder of movie.json; created if missing', '.')
    .option('--force', 'overwrite an existing movie.json')
    .option('--json', 'print one JSON object')
    .action(init);
}

async function init(folder: string, options: InitOptions): Promise<void> {
  const { starterMovie } = await import('../../starter-movie.js');
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'movie.json');
  await writeFile(path, `${JSON.stringify(starterMovie, null, 2)}\n`, { flag: options.force === true ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new UsageError(`${path} already exists. Pass --force to overwrite it.`) : error;
  });
  if (options.json === true) {
    console.log(JSON.stringify({ movie: path }));
    return;
  }
  console.log(`${path}\n\nNext:\n  framewright render ${path} -o video.mp4\n  framewright watch ${path} -o video.mp4    re-render on every change`);
}
