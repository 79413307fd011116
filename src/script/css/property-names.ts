import { createRequire } from 'node:module';

let names: ReadonlySet<string> | undefined;

/** Names of all CSS properties, from MDN's data, which is loaded on first use. Properties without a vendor prefix come first. */
export function cssPropertyNames(): ReadonlySet<string> {
  if (names !== undefined) return names;
  const properties = createRequire(import.meta.url)('mdn-data/css/properties.json') as Record<string, unknown>;
  const all = Object.keys(properties).filter((name) => name !== '--*');
  const isPrefixed = (name: string) => name.startsWith('-');
  names = new Set([...all.filter((name) => !isPrefixed(name)).sort(), ...all.filter(isPrefixed).sort()]);
  return names;
}

/** Whether a name is a CSS property, drawn or not, or a custom property. */
export function isCssProperty(name: string): boolean {
  return name.startsWith('--') || cssPropertyNames().has(name);
}

/** Converts a property name to its CSS spelling: `fontSize`, `font_size`, `WebkitTextStroke`. Vendor prefixes that are no longer needed are removed. */
export function cssName(key: string): string {
  const trimmed = key.trim();
  if (trimmed.startsWith('--')) return trimmed;
  const parted =
    /^-|[-_]/.test(trimmed) || !/[a-z][A-Z]/.test(trimmed) ? trimmed : trimmed.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '-'}${letter}`);
  const hyphenated = parted.replaceAll('_', '-').toLowerCase();
  const bare = hyphenated.replace(/^-?(webkit|moz|ms|o)-/, '');
  if (bare === hyphenated) return hyphenated;
  return bare.startsWith('text-stroke') || bare.startsWith('text-fill') || cssPropertyNames().has(bare) ? bare : `-${hyphenated.replace(/^-/, '')}`;
}
