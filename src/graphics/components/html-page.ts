import { findEasing } from './easing.js';
import type { Settings } from './settings.js';
import type { Viewport } from './style/style.js';

/** Between two of them a page draws a straight line. */
const samples = 120;

/**
 * The page of an HTML component: `{{settings}}` is replaced by a JavaScript object with the viewport, the groups, and `easings`:
 * the course of every easing that the settings name.
 */
export function htmlPage(html: string, settings: Settings, viewport: Viewport): string {
  const groups = [...settings].map(([name, group]) => [
    name,
    { given: group.isGiven, style: withImageUrl({ ...group.defaults, ...group.given }), values: group.values },
  ]);
  const json = JSON.stringify({ viewport, groups: Object.fromEntries(groups), easings: easingsOf(settings) });
  // What is data must not end the script it stands in.
  const safe = json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return html.replaceAll('{{settings}}', () => safe);
}

/** An address alone, which scripts write for `url(…)`, is none to a browser. */
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
