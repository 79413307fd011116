import type { SubtitleLook, SubtitleStyle } from '../movie.js';

/** What a style sets unless the script does. */
export interface SubtitlePreset {
  fontFamily: string;
  /** Also of the scripts that the family lacks; a family without it has its nearest weight. */
  fontWeight: number;
  /** Fraction of the canvas's shorter side. */
  fontSize: number;
  wordColor: string;
  lineColor: string;
  boxColor: string;
  /** Width as a fraction of the font size. */
  outline: number;
  maxWords: number;
  allCaps: boolean;
}

const WHITE = '#ffffff';
const base = { lineColor: WHITE, boxColor: '#6d28d9', outline: 0.13, maxWords: 3, allCaps: false };

/** Styles with motion; those of JSON2Video have no preset. */
const presets: Readonly<Partial<Record<SubtitleStyle, SubtitlePreset>>> = {
  pop: { ...base, fontFamily: 'Montserrat', fontWeight: 900, fontSize: 0.08, wordColor: '#ffe14d', allCaps: true },
  bounce: { ...base, fontFamily: 'Poppins', fontWeight: 800, fontSize: 0.08, wordColor: '#7cf5a5' },
  'box-slide': { ...base, fontFamily: 'Montserrat', fontWeight: 800, fontSize: 0.072, wordColor: WHITE, outline: 0.1 },
  gradient: { ...base, fontFamily: 'Archivo Black', fontWeight: 900, fontSize: 0.08, wordColor: '#ffd84d' },
  glow: { ...base, fontFamily: 'Poppins', fontWeight: 800, fontSize: 0.078, wordColor: '#7df9ff', outline: 0.08 },
  'karaoke-fill': { ...base, fontFamily: 'Montserrat', fontWeight: 800, fontSize: 0.074, wordColor: '#ffd400', maxWords: 4 },
  stack: { ...base, fontFamily: 'Anton', fontWeight: 900, fontSize: 0.135, wordColor: '#ffe14d', outline: 0.09, allCaps: true },
  emphasis: { ...base, fontFamily: 'Montserrat', fontWeight: 800, fontSize: 0.072, wordColor: '#ffd23f', maxWords: 4 },
};

export const presetOf = (style: SubtitleStyle): SubtitlePreset | undefined => presets[style];

/** Styles whose words move. */
export const movingStyles: ReadonlySet<SubtitleStyle> = new Set(Object.keys(presets) as SubtitleStyle[]);

/** Middle of the lines on a portrait canvas, as a fraction of its height: above the texts and buttons that platforms put over videos. */
const PORTRAIT_MIDDLE = 0.68;
/** Side margin on a portrait canvas, as a fraction of its width: beside the buttons. */
const PORTRAIT_MARGIN = 0.13;
const STACK_MIDDLE = 0.5;
const LANDSCAPE_MARGIN = 0.05;

/** Where a style with a preset stands unless the script says so. */
export function presetPlace(style: SubtitleStyle, { width, height }: { width: number; height: number }): Pick<SubtitleLook, 'position' | 'x' | 'y'> {
  const isPortrait = height > width;
  if (style !== 'stack' && !isPortrait) return { position: 'bottom-center', x: 0, y: 0 };
  const middle = style === 'stack' ? STACK_MIDDLE : PORTRAIT_MIDDLE;
  return { position: 'custom', x: width / 2, y: height * middle };
}

/** Margin on each side of the lines, as a fraction of the width. */
export function sideMargin(style: SubtitleStyle, { width, height }: { width: number; height: number }): number {
  return movingStyles.has(style) && height > width ? PORTRAIT_MARGIN : LANDSCAPE_MARGIN;
}
