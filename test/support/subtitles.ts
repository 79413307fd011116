import type { SubtitleLook } from '../../src/script/index.js';
import { black, white } from './typography.js';

/** Default subtitle settings (white Inter, yellow word, bottom) with changes. */
export function makeSubtitleLook(changes: Partial<SubtitleLook> = {}): SubtitleLook {
  return {
    style: 'classic',
    fontFamily: 'Inter',
    fontSize: 32,
    fontWeight: 700,
    acceptsOtherWeight: false,
    wordColor: { r: 255, g: 255, b: 0, a: 255 },
    lineColor: white,
    boxColor: black,
    speakerColors: [],
    gradientColor: black,
    sideMargin: 0.05,
    outline: { width: 0, color: black },
    shadow: { offset: 0, color: black },
    maxWordsPerLine: 4,
    allCaps: false,
    position: 'bottom-center',
    x: 0,
    y: 0,
    offsetY: 0,
    keywords: [],
    replace: {},
    ...changes,
  };
}
