import type { Command } from 'commander';
import { loadConfig } from '../../config/index.js';
import { loadPacks } from '../../graphics/components/index.js';
import { describePack, packTable } from '../packs/format-packs.js';
import { renderPreviews } from '../packs/render-previews.js';

export function registerPacksCommand(program: Command): void {
  const packs = program.command('packs').description('component packs: what is installed, and what it looks like');
  packs
    .command('list')
    .description('list the installed components with their settings')
    .option('--json', 'print one JSON object, with the JSON Schema of every component’s settings')
    .action(list);
  packs
    .command('preview')
    .description('draw every component: one picture with three of its moments, and the first of them alone')
    .argument('[component]', 'only this one, or this pack')
    .requiredOption('-o, --output <folder>', 'where the pictures go (.png)')
    .option('--json', 'print one JSON object when done')
    .action(preview);
}

function list(options: { json?: boolean }): void {
  const { packs } = loadPacks(loadConfig().packs.folder);
  if (options.json) console.log(JSON.stringify({ packs: packs.map(describePack) }, null, 2));
  else console.log(packTable(packs));
}

async function preview(component: string | undefined, options: { output: string; json?: boolean }): Promise<void> {
  const pictures: Array<{ component: string; path: string }> = [];
  await renderPreviews(loadConfig(), options.output, component, (picture) => {
    if (options.json === true) pictures.push(picture);
    else console.log(`${picture.component}  ${picture.path}`);
  });
  if (options.json === true) console.log(JSON.stringify({ pictures }));
}
