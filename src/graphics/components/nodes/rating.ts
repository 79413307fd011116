import type { TreeNode } from '../pack.js';
import { lookUp } from '../placeholders.js';
import type { Settings } from '../settings.js';

const symbols: Readonly<Record<string, string>> = {
  star: 'M50 3 L62.9 35.2 L97.5 37.6 L70.9 59.8 L79.4 93.4 L50 75 L20.6 93.4 L29.1 59.8 L2.5 37.6 L37.1 35.2 Z',
  heart: 'M50 92 C 20 68 4 52 4 31 C 4 16 15 6 28 6 C 38 6 46 12 50 21 C 54 12 62 6 72 6 C 85 6 96 16 96 31 C 96 52 80 68 50 92 Z',
};

const symbolCount = 5;

/** Nodes of a rating: five symbols, filled up to the value. */
export function ratingNodes(settings: Settings): TreeNode[] {
  const value = Number(lookUp(settings, 'rating.value') ?? symbolCount);
  const data = lookUp(settings, 'rating.symbol') === 'heart' ? symbols.heart : symbols.star;
  return Array.from({ length: symbolCount }, (_, index): TreeNode => {
    const share = Math.min(1, Math.max(0, value - index));
    return {
      kind: 'path',
      path: data ?? '',
      share: Math.round(share * 1000) / 1000,
      off: '{{rating.off-color}}',
      fixed: { width: '{{rating.size}}', height: '{{rating.size}}', 'flex-shrink': 0 },
      delay: index * 120,
      motion: {
        scale: [
          { at: 0, value: 0, easing: 'easeOutBack' },
          { at: 450, value: 1 },
        ],
        opacity: [
          { at: 0, value: 0 },
          { at: 120, value: 1 },
        ],
      },
    };
  });
}
