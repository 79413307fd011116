import type { SubtitleStyle } from '../../script/index.js';

/** Styles whose words move. */
export const movingStyles: ReadonlySet<SubtitleStyle> = new Set(['pop', 'bounce', 'box-slide', 'gradient', 'glow', 'karaoke-fill', 'stack', 'emphasis']);
