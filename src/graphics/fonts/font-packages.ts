import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An installed @fontsource package. */
export interface FontPackage {
  /** e.g. `playfair-display` */
  slug: string;
  family: string;
  version: string;
  folder: string;
  weights: number[];
  styles: string[];
  /** Unicode subsets, the main one first. `ranges`: inclusive code point ranges; undefined: unknown. */
  subsets: Array<{ name: string; ranges: Array<readonly [number, number]> | undefined }>;
}

interface PackageMetadata {
  family: string;
  weights: number[];
  styles: string[];
  defSubset: string;
  subsets: string[];
}

/** Every `node_modules/@fontsource` folder above this file. */
export function installedPackageFolders(): string[] {
  const found: string[] = [];
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', '@fontsource');
    if (existsSync(candidate)) found.push(candidate);
    if (dirname(folder) === folder) return found;
  }
}

function parseRanges(text: string): Array<readonly [number, number]> {
  return text.split(',').map((range) => {
    const [low = '', high = low] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(low.replaceAll('?', '0'), 16), Number.parseInt(high.replaceAll('?', 'F'), 16)] as const;
  });
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** Reads a package's metadata; undefined if the folder is not a font package. */
function readFontPackage(folder: string, slug: string): FontPackage | undefined {
  const base = join(folder, slug);
  if (!existsSync(join(base, 'metadata.json'))) return undefined;
  const metadata = readJson<PackageMetadata>(join(base, 'metadata.json'));
  const ranges = existsSync(join(base, 'unicode.json')) ? readJson<Record<string, string>>(join(base, 'unicode.json')) : {};
  const names = Object.keys(ranges).length > 0 ? Object.keys(ranges) : metadata.subsets;
  const subsets = names.map((key) => ({
    name: key.replace(/[[\]]/g, ''),
    ranges: ranges[key] === undefined ? undefined : parseRanges(ranges[key]),
  }));
  subsets.sort((a, b) => Number(b.name === metadata.defSubset) - Number(a.name === metadata.defSubset));
  return {
    slug,
    family: metadata.family,
    version: readJson<{ version: string }>(join(base, 'package.json')).version,
    folder: base,
    weights: metadata.weights,
    styles: metadata.styles,
    subsets,
  };
}

/** Reads a package from the first folder that has it. */
export function findFontPackage(folders: readonly string[], slug: string): FontPackage | undefined {
  for (const folder of folders) {
    const found = readFontPackage(folder, slug);
    if (found) return found;
  }
  return undefined;
}

/** Reads all packages; earlier folders win. */
export function readFontPackages(folders: readonly string[]): FontPackage[] {
  const bySlug = new Map<string, FontPackage>();
  for (const folder of folders) {
    for (const slug of readdirSync(folder).sort()) {
      const found = bySlug.has(slug) ? undefined : readFontPackage(folder, slug);
      if (found) bySlug.set(slug, found);
    }
  }
  return [...bySlug.values()];
}
