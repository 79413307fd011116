import { type SubtitleLook, splitFamilies } from '../../script/index.js';

interface NamedFont {
  families: string[];
  weight?: number;
}

const eastAsian = (region: string): string[] => [`Noto Sans ${region}`, `Noto Sans CJK ${region}`];

/** JSON2Video's font names that stand for a family with a weight, or for the font of a language. */
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

/** Families in order of preference, starting with the font file's URL if there is one, and the weight. */
export function fontsOf({ fontFamily, fontUrl, fontWeight }: Pick<SubtitleLook, 'fontFamily' | 'fontUrl' | 'fontWeight'>): {
  families: string[];
  weight: number;
} {
  const named = namedFonts[fontFamily.trim().toLowerCase()];
  const families = named?.families ?? splitFamilies(fontFamily);
  return { families: fontUrl === undefined ? families : [fontUrl, ...families], weight: named?.weight ?? fontWeight };
}
