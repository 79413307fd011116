import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inAscii, loadScript, writeCodeCaches } from './script.js';

/** The folder of compiled TypeScript, also when this module runs from `src`. */
const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));

interface CurrentBundle {
  /** Name of the bundle's folder in dist/bundle. */
  folder: string;
  /** `describeBuild()` of the compiled TypeScript that was bundled. */
  madeFrom: string;
  /** `glanceAtBuild()` of the same build. */
  seen?: string;
}

/** Hash of all compiled sources and of the Node version. */
export function describeBuild(folder: string = dist): string {
  // The compiler writes the hashes of its sources into this file.
  const sources = readFileSync(join(folder, '.tsbuildinfo'));
  // Loaded lazily: most starts only need `glanceAtBuild`.
  const { createHash } = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');
  return createHash('sha256').update(process.version).update(sources).digest('hex');
}

/** Cheap check for an unchanged build, which fails after the build was copied: Node version, size and change time. */
export function glanceAtBuild(folder: string = dist): string {
  const { size, mtimeNs } = statSync(join(folder, '.tsbuildinfo'), { bigint: true });
  return [process.version, size, mtimeNs].join(':');
}

/** These modules are not bundled, so that one registry of loaded scripts exists. Bundles require them as `framewright:precompiled`. */
const bundleExports = { describeBuild, inAscii, loadScript, writeCodeCaches, importModule: (name: string): Promise<unknown> => import(name) };

/** Loads a bundle and returns its exports; undefined if none was made from the current build. */
export function loadBundle(name: string, folder: string = dist): unknown {
  const bundle = readCurrent(folder);
  if (bundle === undefined) return undefined;
  const nodeRequire = createRequire(join(folder, 'main.js'));
  const provide = (specifier: string): unknown => (specifier === 'framewright:precompiled' ? bundleExports : nodeRequire(specifier));
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
