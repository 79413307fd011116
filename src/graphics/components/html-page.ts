import { findEasing } from './easing.js';
import type { Settings } from './settings.js';
import type { Viewport } from './style/style.js';

/** Number of samples of an easing; pages interpolate linearly between them. */
const samples = 120;

/**
 * Builds the page of an HTML component: replaces `{{settings}}` by a JavaScript object with the viewport, the groups, and `easings`,
 * samples of every easing named in the settings.
 */
export function htmlPage(html: string, settings: Settings, viewport: Viewport): string {
  const groups = [...settings].map(([name, group]) => [
    name,
    { given: group.isGiven, style: withImageUrl({ ...group.defaults, ...group.given }), values: group.values },
  ]);
  const json = JSON.stringify({ viewport, groups: Object.fromEntries(groups), easings: easingsOf(settings) });
  // Data must not end the surrounding script element.
  const safe = json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return html.replaceAll('{{settings}}', () => safe);
}

/** Wraps a bare URL in `url(…)`, which browsers require. */
function withImageUrl<T extends Record<string, unknown>>(style: T): T {
  const image = style['background-image'];
  if (typeof image !== 'string' || /\(|^\s*none\s*$/.test(image) || image.trim() === '') return style;
  return { ...style, 'background-image': `url("${image.trim().replaceAll('"', '%22')}")` };
}

function easingsOf(settings: Settings): Record<string, number[]> {
  const names = [...settings.values()].flatMap(({ values }) => [values.easing, (values.animate as Record<string, unknown> | undefined)?.easing]);
  const courses = [...new Set([...names, 'easeOutCubic'])].flatMap((name) => {
    const ease = typeof name === 'string' ? findEasing(name) : undefined;
    return ease === undefined ? [] : [[name, Array.from({ length: samples + 1 }, (_, i) => Math.round(ease(i / samples) * 1e5) / 1e5)] as const];
  });
  return Object.fromEntries(courses);
}
