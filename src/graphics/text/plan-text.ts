import type { Typography } from '../../script/index.js';
import type { FontCatalogue } from '../fonts/index.js';
import { findUndrawable } from '../fonts/index.js';
import type { TextPlan } from './place-text.js';

export interface TextRequest {
  paragraphs: readonly string[];
  typography: Typography;
  lang: string;
  /** The element's path, for errors. */
  path: string;
}

/** A text with the fonts that draw it; characters that none can draw are left out, with a warning. */
export function planText(request: TextRequest, fonts: FontCatalogue): TextPlan & { warnings: string[] } {
  const { paragraphs: whole, typography, lang, path } = request;
  const text = whole.join('\n');
  const font = fonts.resolve({ families: typography.fontFamilies, weight: typography.fontWeight, style: typography.fontStyle, text, lang });
  const missing = findUndrawable(text, font, lang);
  const paragraphs = missing.length === 0 ? [...whole] : whole.map((paragraph) => dropGraphemes(paragraph, new Set(missing), lang, typography.keepSpaces));
  const warnings = [...font.warnings];
  if (missing.length > 0) warnings.push(`no installed font can draw ${listCharacters(missing)}; left out`);
  return { brush: { typography, font, lang, ascent: 0, path }, paragraphs, warnings };
}

/** A text without some of its characters. */
export function dropGraphemes(text: string, dropped: ReadonlySet<string>, lang: string, keepsSpaces = false): string {
  const kept = [...new Intl.Segmenter(lang, { granularity: 'grapheme' }).segment(text)]
    .map(({ segment }) => segment)
    .filter((segment) => !dropped.has(segment))
    .join('');
  return keepsSpaces ? kept : kept.replace(/ {2,}/g, ' ').trim();
}

/** Characters with their numbers, for a message. */
export function listCharacters(characters: readonly string[]): string {
  const named = characters.slice(0, 8).map((character) => {
    const codes = [...character].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    return `${character} (${codes.join(' ')})`;
  });
  return characters.length > named.length ? `${named.join(', ')} and ${characters.length - named.length} more` : named.join(', ');
}
