import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inAscii, loadScript, writeCodeCaches } from './script.js';

/** The folder of compiled TypeScript, also from `src`. */
const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));

interface CurrentBundle {
  /** Below dist/bundle. */
  folder: string;
  madeFrom: string;
  /** `glanceAtBuild()` of that build. */
  seen?: string;
}

/** Changes with every source that was compiled into `dist`, and with the version of Node. */
export function describeBuild(folder: string = dist): string {
  // The compiler's own list of its sources and their hashes.
  const sources = readFileSync(join(folder, '.tsbuildinfo'));
  // Loaded where it is needed: a start goes by a glance.
  const { createHash } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  return createHash('sha256').update(process.version).update(sources).digest('hex');
}

/** The same build when it has not been copied or compiled since: without reading it all. */
export function glanceAtBuild(folder: string = dist): string {
  const { size, mtimeNs } = statSync(join(folder, '.tsbuildinfo'), { bigint: true });
  return [process.version, size, mtimeNs].join(':');
}

/** This folder is no part of a bundle: what was loaded is known in one place. */
const forBundles = { describeBuild, inAscii, loadScript, writeCodeCaches, importModule: (name: string): Promise<unknown> => import(name) };

/** What a bundle exports; undefined when there is none that was made of this very build. */
export function loadBundle(name: string, folder: string = dist): unknown {
  const bundle = readCurrent(folder);
  if (bundle === undefined) return undefined;
  const nodeRequire = createRequire(join(folder, 'main.js'));
  const provide = (specifier: string): unknown => (specifier === 'framewright:precompiled' ? forBundles : nodeRequire(specifier));
  return loadScript(join(folder, 'bundle', bundle.folder, `${name}.cjs`), provide);
}

function readCurrent(folder: string): CurrentBundle | undefined {
  try {
    const bundle = JSON.parse(readFileSync(join(folder, 'bundle', 'current.json'), 'utf8')) as CurrentBundle;
    return bundle.seen === glanceAtBuild(folder) || bundle.madeFrom === describeBuild(folder) ? bundle : undefined;
  } catch {
    return undefined;
  }
}
