import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeBuild } from '../../compiled/index.js';
import type { Config } from '../../config/index.js';

/** Raised whenever what is kept looks otherwise. */
const planVersion = 1;

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What is installed beside this build, and decides what it makes of a script: the engine, what scripts are checked by, packages and fonts. */
const installed = [
  ...['build/Release/framewright-engine', 'schema/movie.schema.json', 'schema/exports.schema.json', 'schema/timeline.schema.json'].map((path) =>
    join(root, path),
  ),
  ...ancestors(root).flatMap((folder) =>
    ['.package-lock.json', '@fontsource', '@napi-rs/canvas/package.json'].map((path) => join(folder, 'node_modules', path)),
  ),
];

export interface Planned {
  /** The script, as it was read. */
  text: string;
  /** The movie's own. */
  folder: string;
  config: Config;
}

/** Everything that decides what is planned for a script, but the files that it names; `beside` is what this build works with. */
export async function planKey({ text, folder, config }: Planned, beside: readonly string[] = installed): Promise<string> {
  const [place, ...states] = await Promise.all([realpath(folder), ...beside.map(fileState)]);
  return createHash('sha256')
    .update(JSON.stringify([planVersion, describeBuild(), states, config, place]))
    .update(text)
    .digest('hex');
}

/** Changes with a file: it is written to, or another has its name. Undefined: none is there. */
export async function fileState(path: string): Promise<string | undefined> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  return facts && [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(':');
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}
