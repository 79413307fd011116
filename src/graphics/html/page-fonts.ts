import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FontPackage } from '../fonts/index.js';

/** Origin of documents and files that the worker serves itself. */
export const internalOrigin = 'http://framewright.internal';

/** Generic families that Chromium does not resolve here, with their substitutes. */
const fallbackFamilies: Readonly<Record<string, string>> = {
  '-apple-system': 'Inter',
  'ui-sans-serif': 'Inter',
  'ui-rounded': 'Inter',
  'ui-serif': 'Playfair Display',
  'ui-monospace': 'JetBrains Mono',
};

/** Installed fonts for pages. */
export interface PageFonts {
  /** `@font-face` rules of the installed families named in the text. */
  rulesFor(text: string): string;
  /** The stylesheet of a Google Fonts link, if all its families are installed. */
  googleStylesheet(url: URL): string | undefined;
  /** The font file at a URL path of a rule; undefined for other paths. */
  findFile(path: string): string | undefined;
}

/** `readPackages` is called once, on first use. */
export function createPageFonts(readPackages: () => readonly FontPackage[]): PageFonts {
  let known: readonly FontPackage[] | undefined;
  const packages = (): readonly FontPackage[] => {
    known ??= readPackages();
    return known;
  };
  const named = (family: string): FontPackage | undefined => packages().find((pack) => pack.family.toLowerCase() === family.toLowerCase());
  return {
    rulesFor: (text) => {
      const lower = text.toLowerCase();
      const own = packages().filter(({ family }) => lower.includes(family.toLowerCase()));
      const others = Object.entries(fallbackFamilies).flatMap(([alias, family]) => {
        const pack = lower.includes(alias) ? named(family) : undefined;
        return pack === undefined ? [] : [rulesOf(pack, alias)];
      });
      return [...own.map((pack) => rulesOf(pack, pack.family)), ...others].join('\n');
    },
    googleStylesheet: (url) => {
      if (url.hostname !== 'fonts.googleapis.com' || !/^\/css2?$/.test(url.pathname)) return undefined;
      const families = url.searchParams.getAll('family').flatMap((value) => value.split('|'));
      const found = families.map((value) => named(value.split(':')[0] ?? ''));
      if (found.length === 0 || found.includes(undefined)) return undefined;
      return found.map((pack) => (pack === undefined ? '' : rulesOf(pack, pack.family))).join('\n');
    },
    findFile: (path) => {
      const [, slug, file] = /^\/fonts\/([a-z0-9-]+)\/([a-z0-9-]+\.woff2)$/.exec(path) ?? [];
      const pack = packages().find((one) => one.slug === slug);
      return pack === undefined || file === undefined ? undefined : join(pack.folder, 'files', file);
    },
  };
}

function rulesOf(pack: FontPackage, family: string): string {
  const rules: string[] = [];
  for (const { name, ranges } of pack.subsets) {
    for (const weight of pack.weights) {
      for (const style of pack.styles) {
        const file = `${pack.slug}-${name}-${weight}-${style}.woff2`;
        if (!existsSync(join(pack.folder, 'files', file))) continue;
        const range = ranges === undefined ? '' : `unicode-range:${ranges.map(([low, high]) => `U+${hex(low)}-${hex(high)}`).join(',')};`;
        rules.push(
          `@font-face{font-family:${cssString(family)};font-style:${style};font-weight:${weight};font-display:block;${range}src:url(${internalOrigin}/fonts/${pack.slug}/${file}) format('woff2')}`,
        );
      }
    }
  }
  return rules.join('\n');
}

const hex = (code: number): string => code.toString(16).toUpperCase();

/** A string literal in CSS. */
export function cssString(text: string): string {
  return `"${text.replace(/[^\p{L}\p{N} _-]/gu, (character) => `\\${hex(character.codePointAt(0) ?? 0)} `)}"`;
}
