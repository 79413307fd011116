import type { Command } from 'commander';

interface InitOptions {
  force?: boolean;
  json?: boolean;
}

export function registerInitCommand(program: Command): void {
  program
    .command('init')
    .description('write a movie script to begin with, which renders at once')
    .argument('[folder]', 'where; made when it is not there', '.')
    .option('--force', 'write over a movie.json that is there')
    .option('--json', 'print one JSON object')
    .action(init);
}

async function init(folder: string, options: InitOptions): Promise<void> {
  const { writeStarter } = await import('../starter/write-starter.js');
  const path = await writeStarter(folder, options.force === true);
  if (options.json === true) {
    console.log(JSON.stringify({ movie: path }));
    return;
  }
  console.log(`${path}\n\nNow:\n  framewright render ${path} -o film.mp4\n  framewright watch ${path} -o film.mp4    while you write`);
}
