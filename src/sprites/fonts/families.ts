/** Families that stand in for well-known names, best first. Generic names lead to what is always installed. */
const substitutes: Readonly<Record<string, readonly string[]>> = {
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
  cursive: ['Pacifico', 'Inter'],
  fantasy: ['Bangers', 'Inter'],
};

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
/** Drawn to the same widths as the original: no reason for a warning. */
const sameMetrics = new Set(['Liberation Sans', 'Arimo', 'Liberation Serif', 'Tinos', 'Liberation Mono', 'Cousine']);

export const fallbackFamily = 'Inter';

/** Families to try for a name that is not installed. */
export function substitutesFor(family: string): readonly string[] {
  return substitutes[family.trim().toLowerCase()] ?? [];
}

/** False when the substitution is what anybody expects. */
export function deservesWarning(asked: string, used: string): boolean {
  return !generic.has(asked.trim().toLowerCase()) && !sameMetrics.has(used);
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

/** The families behind the asked ones, for the scripts that a text really has. */
export function fallbackFamilies(text: string, lang: string): string[] {
  const families: string[] = [fallbackFamily];
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
