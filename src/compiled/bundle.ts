import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inAscii, loadScript, writeCodeCaches } from './script.js';

/** The folder of compiled TypeScript, also from `src`. */
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

interface CurrentBundle {
  /** Below dist/bundle. */
  folder: string;
  madeFrom: string;
}

/** Changes with every source that was compiled into `dist`, and with the version of Node. */
export function describeBuild(folder: string = dist): string {
  // The compiler's own list of its sources and their hashes.
  const sources = readFileSync(join(folder, '.tsbuildinfo'));
  return createHash('sha256').update(process.version).update(sources).digest('hex');
}

/** This folder is no part of a bundle: what was loaded is known in one place. */
const forBundles = { describeBuild, inAscii, loadScript, writeCodeCaches, importModule: (name: string): Promise<unknown> => import(name) };

/** What a bundle exports; undefined when there is none that was made of this very build. */
export function loadBundle(name: string, folder: string = dist): unknown {
  const bundle = readCurrent(folder);
  if (bundle === undefined) return undefined;
  const nodeRequire = createRequire(join(folder, 'main.js'));
  const provide = (specifier: string): unknown => (specifier === 'framewright:compiled' ? forBundles : nodeRequire(specifier));
  return loadScript(join(folder, 'bundle', bundle.folder, `${name}.cjs`), provide);
}

function readCurrent(folder: string): CurrentBundle | undefined {
  try {
    const bundle = JSON.parse(readFileSync(join(folder, 'bundle', 'current.json'), 'utf8')) as CurrentBundle;
    return bundle.madeFrom === describeBuild(folder) ? bundle : undefined;
  } catch {
    return undefined;
  }
}
