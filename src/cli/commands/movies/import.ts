import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ImportError, type Imported, type ImportFormat, importFormats, importScript } from '../../../script/import/index.js';
import { MovieError, openMovieFile } from '../../movie-file.js';
import { painterFor } from '../../paint.js';

interface ImportOptions {
  from?: ImportFormat;
  output?: string;
  json?: boolean;
}

export function registerImportCommand(program: Command): void {
  program
    .command('import')
    .description('translate a document of another service or program into a movie script; lists on standard error what cannot be translated')
    .argument('<file>', 'document (JSON)')
    .addOption(new Option('--from <format>', 'format of the document; default: detected').choices(importFormats))
    .option('-o, --output <file>', 'movie script to write; default: standard output')
    .option('--json', 'print one JSON object with the script (or its path) and the notes')
    .action(run);
}

async function run(file: string, options: ImportOptions): Promise<void> {
  const { script: document } = await openMovieFile(file);
  const { script, notes } = translate(file, document, options.from);
  const text = `${JSON.stringify(script, null, 2)}\n`;
  if (options.output !== undefined) {
    await mkdir(dirname(resolve(options.output)), { recursive: true });
    await writeFile(options.output, text);
  }
  const paint = painterFor(process.stderr);
  for (const { path, kind, why } of notes) console.error(`${paint('yellow', `${kind}:`)} ${path}: ${why}`);
  if (options.json === true) console.log(JSON.stringify({ ...(options.output === undefined ? { script } : { path: resolve(options.output) }), notes }));
  else if (options.output === undefined) process.stdout.write(text);
  else console.log(`${options.output}: ${notes.length === 0 ? 'translated completely' : `${notes.length} field(s) are left out or approximated`}`);
}

function translate(file: string, document: unknown, format: ImportFormat | undefined): Imported {
  try {
    return importScript(document, format);
  } catch (error) {
    if (error instanceof ImportError) throw new MovieError('INVALID_REQUEST', `${file} ${error.message}`, { cause: error });
    throw error;
  }
}
