import type { Command } from 'commander';
import { loadConfig } from '../../../config/index.js';
import type { ListedEngine } from '../../../providers/speech/index.js';

export function registerVoicesCommand(program: Command): void {
  const voices = program.command('voices').description('speech engines and services');
  voices
    .command('list')
    .description('list engines and services with their voices, and what the unavailable ones lack')
    .option('--json', 'print one JSON object')
    .action(list);
}

async function list(options: { json?: boolean }): Promise<void> {
  const { createSpeechSynthesizer } = await import('../../../providers/speech/index.js');
  const config = loadConfig();
  const listed = await createSpeechSynthesizer(config.voice, config.outbound).listVoices();
  console.log(options.json === true ? JSON.stringify(listed) : listed.engines.map(asText).join('\n'));
}

const MAX_LANGUAGES = 60;

function asText({ model, available, detail, voices }: ListedEngine): string {
  const rows = voices.map(({ voice, languages, gender }) => {
    const shown = languages.length > MAX_LANGUAGES ? `${languages.split(' ').length} languages` : languages === '*' ? 'many languages' : languages;
    return `       ${(voice === '*' ? 'its own voices' : voice).padEnd(24)}${shown}${gender === 'any' ? '' : `, ${gender}`}`;
  });
  return [`${available ? 'yes' : 'no '}  ${model.padEnd(24)}${detail}`, ...rows].join('\n');
}
