import type { Command } from 'commander';
import { loadConfig } from '../../../config/index.js';
import { loadPacks } from '../../../graphics/components/index.js';
import { describePack, packTable } from '../../packs/format-packs.js';
import { renderPreviews } from '../../packs/render-previews.js';

export function registerPacksCommand(program: Command): void {
  const packs = program.command('packs').description('list and preview component packs');
  packs
    .command('list')
    .description('list the installed components with their settings')
    .option('--json', 'print one JSON object, with the JSON Schema of every component’s settings')
    .action(list);
  packs
    .command('preview')
    .description('draw an image of every component with several of its frames side by side')
    .argument('[component]', 'only this component or pack')
    .requiredOption('-o, --output <folder>', 'folder for the images (.png)')
    .option('--json', 'print one JSON object')
    .action(preview);
}

function list(options: { json?: boolean }): void {
  const { packs } = loadPacks(loadConfig().packs.folder);
  if (options.json) console.log(JSON.stringify({ packs: packs.map(describePack) }, null, 2));
  else console.log(packTable(packs));
}

async function preview(component: string | undefined, options: { output: string; json?: boolean }): Promise<void> {
  const images: Array<{ component: string; path: string }> = [];
  await renderPreviews(loadConfig(), options.output, component, (image) => {
    if (options.json === true) images.push(image);
    else console.log(`${image.component}  ${image.path}`);
  });
  if (options.json === true) console.log(JSON.stringify({ pictures: images }));
}
