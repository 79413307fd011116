import type { SubtitleLook } from '../../script/index.js';

interface NamedFont {
  families: string[];
  weight?: number;
}

const eastAsian = (region: string): string[] => [`Noto Sans ${region}`, `Noto Sans CJK ${region}`];

/** Names that stand for a family with a weight, or for the family of a language. */
const namedFonts: Readonly<Record<string, NamedFont>> = {
  'arial bold': { families: ['Arial'], weight: 700 },
  'oswald bold': { families: ['Oswald'], weight: 700 },
  'notosans bold': { families: ['Noto Sans'], weight: 700 },
  'noto sans bold': { families: ['Noto Sans'], weight: 700 },
  notosans: { families: ['Noto Sans'] },
  'simplified chinese': { families: eastAsian('SC') },
  'traditional chinese': { families: eastAsian('TC') },
  japanese: { families: eastAsian('JP') },
  korean: { families: eastAsian('KR') },
  'korean bold': { families: eastAsian('KR'), weight: 700 },
};

/** The families to draw with, best first: a font file's own address goes before the family. */
export function fontsOf({ fontFamily, fontUrl, fontWeight }: Pick<SubtitleLook, 'fontFamily' | 'fontUrl' | 'fontWeight'>): {
  families: string[];
  weight: number;
} {
  const named = namedFonts[fontFamily.trim().toLowerCase()];
  const families = named?.families ?? familiesOf(fontFamily);
  return { families: fontUrl === undefined ? families : [fontUrl, ...families], weight: named?.weight ?? fontWeight };
}

function familiesOf(text: string): string[] {
  return text
    .split(',')
    .map((family) => family.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((family) => family !== '');
}
