import { editDistance } from '../../script/index.js';

/** Substitutes for well-known and generic families, best first. */
const substitutes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'sans-serif': ['Inter', 'Noto Sans', 'DejaVu Sans'],
    'ui-sans-serif': ['Inter'],
    'system-ui': ['Inter'],
    '-apple-system': ['Inter'],
    blinkmacsystemfont: ['Inter'],
    serif: ['Noto Serif', 'DejaVu Serif', 'Playfair Display'],
    'ui-serif': ['Noto Serif', 'DejaVu Serif', 'Playfair Display'],
    monospace: ['JetBrains Mono', 'Noto Sans Mono', 'DejaVu Sans Mono'],
    'ui-monospace': ['JetBrains Mono', 'Noto Sans Mono', 'DejaVu Sans Mono'],
    emoji: ['Noto Color Emoji'],
    arial: ['Liberation Sans', 'Arimo', 'Inter'],
    helvetica: ['Liberation Sans', 'Arimo', 'Inter'],
    'helvetica neue': ['Liberation Sans', 'Arimo', 'Inter'],
    'segoe ui': ['Inter'],
    'sf pro display': ['Inter'],
    'sf pro text': ['Inter'],
    tahoma: ['DejaVu Sans', 'Inter'],
    verdana: ['DejaVu Sans', 'Inter'],
    impact: ['Anton', 'Oswald'],
    'arial black': ['Archivo Black', 'Anton'],
    'times new roman': ['Liberation Serif', 'Tinos', 'Noto Serif', 'DejaVu Serif'],
    times: ['Liberation Serif', 'Tinos', 'Noto Serif', 'DejaVu Serif'],
    georgia: ['Gelasio', 'Noto Serif', 'DejaVu Serif'],
    'courier new': ['Liberation Mono', 'Cousine', 'DejaVu Sans Mono', 'Noto Sans Mono'],
    courier: ['Liberation Mono', 'Cousine', 'DejaVu Sans Mono', 'Noto Sans Mono'],
    consolas: ['JetBrains Mono', 'DejaVu Sans Mono', 'Noto Sans Mono'],
    menlo: ['JetBrains Mono', 'DejaVu Sans Mono', 'Noto Sans Mono'],
    notosans: ['Noto Sans'],
    'source sans pro': ['Source Sans 3'],
    'source serif': ['Source Serif 4'],
    cursive: ['Pacifico', 'Inter'],
    fantasy: ['Bangers', 'Inter'],
  }),
);

const generic = new Set([
  'sans-serif',
  'serif',
  'monospace',
  'system-ui',
  'ui-sans-serif',
  'ui-serif',
  'ui-monospace',
  'emoji',
  'cursive',
  'fantasy',
  '-apple-system',
  'blinkmacsystemfont',
]);
/** Substitutes with the metrics of the original, or newer names of the same design; they need no warning. */
const metricCompatible = new Set(['Source Sans 3', 'Source Serif 4', 'Liberation Sans', 'Arimo', 'Liberation Serif', 'Tinos', 'Liberation Mono', 'Cousine']);

/** Google Fonts' regional names of Noto CJK, which systems install as one family. */
const eastAsianNoto = /^noto (sans|serif) (jp|kr|sc|tc|hk)$/;

/** Family of last resort; always installed. */
export const fallbackFamily = 'Inter';

/** Families to try when a family is not installed. */
export function substitutesFor(family: string): readonly string[] {
  const name = family.trim().toLowerCase();
  const [, style, region] = eastAsianNoto.exec(name) ?? [];
  if (region === undefined) return substitutes.get(name) ?? [];
  // Drawing libraries may list only the first region of a font collection; it has the glyphs of all regions.
  const ofStyle = (name: string) => [`Noto ${name} CJK ${region.toUpperCase()}`, `Noto ${name} CJK JP`];
  return style === 'serif' ? [...ofStyle('Serif'), ...ofStyle('Sans')] : ofStyle('Sans');
}

/** Returns whether a substitution deserves a warning. */
export function isUnexpectedSubstitute(asked: string, used: string): boolean {
  const name = asked.trim().toLowerCase();
  const isSameNoto = eastAsianNoto.test(name) && used.toLowerCase().startsWith(name.replace(/\w+$/, 'cjk'));
  return !generic.has(name) && !metricCompatible.has(used) && !isSameNoto;
}

/** Preferred families per script; without them the system's fallback order could choose a clashing design. */
const scriptFamilies: ReadonlyArray<{ script: RegExp; families: readonly string[] }> = [
  { script: /\p{Script=Arabic}/u, families: ['Noto Sans Arabic', 'Noto Naskh Arabic'] },
  { script: /\p{Script=Hebrew}/u, families: ['Noto Sans Hebrew'] },
  { script: /\p{Script=Devanagari}/u, families: ['Noto Sans Devanagari'] },
  { script: /\p{Script=Bengali}/u, families: ['Noto Sans Bengali'] },
  { script: /\p{Script=Tamil}/u, families: ['Noto Sans Tamil'] },
  { script: /\p{Script=Telugu}/u, families: ['Noto Sans Telugu'] },
  { script: /\p{Script=Thai}/u, families: ['Noto Sans Thai'] },
  { script: /\p{Script=Georgian}/u, families: ['Noto Sans Georgian'] },
  { script: /\p{Script=Armenian}/u, families: ['Noto Sans Armenian'] },
];

const eastAsianFamilies: Readonly<Record<string, string>> = { ja: 'JP', ko: 'KR', zh: 'SC' };

/** Characters that the fallback family covers; texts of only these need no other fallback. */
const inFallbackFamily = /^[\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122]*$/;

/** Fallback families for the scripts in a text. */
export function fallbackFamilies(text: string, lang: string): string[] {
  const families: string[] = [fallbackFamily];
  if (inFallbackFamily.test(text)) return families;
  for (const { script, families: good } of scriptFamilies) if (script.test(text)) families.push(...good);
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u.test(text)) {
    const region = /^zh-(?:Hant|TW|HK)/i.test(lang) ? 'TC' : (eastAsianFamilies[lang.slice(0, 2)] ?? 'SC');
    families.push(`Noto Sans ${region}`, `Noto Sans CJK ${region}`, 'Noto Sans CJK SC', 'Noto Sans CJK JP');
  }
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(text)) families.push('Noto Color Emoji');
  families.push('Noto Sans');
  if (/[\p{S}\p{No}]/u.test(text)) families.push('Noto Sans Symbols', 'Noto Sans Symbols 2', 'Noto Sans Symbols2', 'Noto Sans Math');
  families.push('DejaVu Sans');
  return families;
}

/** A family name without spaces and hyphens, in lower case: OpenSans and open-sans are equal. */
export function withoutSpaces(family: string): string {
  return family.toLowerCase().replace(/[\s"'_-]+/g, '');
}

/** The installed family with the most similar name, if any is close. */
export function nearestFamily(asked: string, names: readonly string[]): string | undefined {
  const wanted = withoutSpaces(asked).slice(0, 40);
  const maxDistance = Math.min(3, Math.floor(wanted.length / 3));
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(wanted, withoutSpaces(name));
    if (distance <= maxDistance && distance < (best?.distance ?? maxDistance + 1)) best = { name, distance };
  }
  return best?.name;
}
