/** Families that stand in for well-known names, best first. Generic names lead to what is always installed. */
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
/** Drawn to the same widths as the original, or the same design by a newer name: no reason for a warning. */
const metricCompatible = new Set(['Source Sans 3', 'Source Serif 4', 'Liberation Sans', 'Arimo', 'Liberation Serif', 'Tinos', 'Liberation Mono', 'Cousine']);

/** Google Fonts offers by region what systems install as one family. */
const eastAsianNoto = /^noto (sans|serif) (jp|kr|sc|tc|hk)$/;

export const fallbackFamily = 'Inter';

/** Families to try for a name that is not installed. */
export function substitutesFor(family: string): readonly string[] {
  const name = family.trim().toLowerCase();
  const [, style, region] = eastAsianNoto.exec(name) ?? [];
  if (region === undefined) return substitutes.get(name) ?? [];
  // Of a font file with all regions, drawing libraries may list the first alone; it has the letters of all.
  const ofStyle = (name: string) => [`Noto ${name} CJK ${region.toUpperCase()}`, `Noto ${name} CJK JP`];
  return style === 'serif' ? [...ofStyle('Serif'), ...ofStyle('Sans')] : ofStyle('Sans');
}

/** False when the substitution is what anybody expects. */
export function isUnexpectedSubstitute(asked: string, used: string): boolean {
  const name = asked.trim().toLowerCase();
  const isSameNoto = eastAsianNoto.test(name) && used.toLowerCase().startsWith(name.replace(/\w+$/, 'cjk'));
  return !generic.has(name) && !metricCompatible.has(used) && !isSameNoto;
}

/** Families that draw a script well, so that the system's own order never mixes in a clashing face. */
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

/** The fallback family has all of these: no family behind it is ever looked at for them. */
const inFallbackFamily = /^[\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122]*$/;

/** The families behind the asked ones, for the scripts that a text really has. */
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

/** A name without what people leave out: OpenSans, open-sans. */
export function withoutSpaces(family: string): string {
  return family.toLowerCase().replace(/[\s"'_-]+/g, '');
}

/** The installed family whose name is a slip of the pen away, if any. */
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

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[b.length] ?? Number.POSITIVE_INFINITY;
}
