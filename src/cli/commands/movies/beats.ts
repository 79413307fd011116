import { access, constants } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../../config/index.js';
import { folderOf, withLocalEngine } from '../../local-render.js';
import { numberOption } from '../../options.js';

interface BeatsOptions {
  tempo?: number;
  json?: boolean;
}

export function registerBeatsCommand(program: Command): void {
  program
    .command('beats')
    .description('find the beats of music in an audio or video file')
    .argument('<file>', 'audio or video file')
    .option('--tempo <bpm>', 'expected beats per minute; default: the most usual tempo that fits', numberOption(30, 300))
    .option('--json', 'print one JSON object, for --set of other commands')
    .action(beats);
}

async function beats(file: string, options: BeatsOptions): Promise<void> {
  const path = resolve(file);
  await access(path, constants.R_OK).catch((cause: Error) => {
    throw new Error(`${file} cannot be read: ${cause.message}`, { cause });
  });
  const found = await withLocalEngine(loadConfig(), [folderOf(path)], (engine) => engine.findBeats(path, options.tempo));
  if (options.json === true) console.log(JSON.stringify(found));
  else if (found.beats.length === 0) console.log('no beats');
  else console.log([`${found.tempo} beats per minute, ${found.beats.length} beats, in seconds:`, ...found.beats].join('\n'));
}
