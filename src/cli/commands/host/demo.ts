import type { Command } from 'commander';
import type { DemoOptions } from '../../demo/run-demo.js';

export function registerDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('render an example movie over the REST service, from start to file')
    .option('--movie <file>', 'a script of examples/, or a copy of one (default: examples/showcase.json)')
    .option('-o, --output <file>', 'video file to write (default: out/<name of the script>.mp4)')
    .option('--media', 'only make the images, the clip and the music of the examples')
    .option('--json', 'print one JSON object when done')
    .action(async (options: DemoOptions) => (await import('../../demo/run-demo.js')).runDemo(options));
}
