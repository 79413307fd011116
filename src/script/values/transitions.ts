import { type ElementContext, parseUrl } from '../elements/context.js';
import type { LumaWipe, Scene, TransitionStyle } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { parseEasing } from './easings.js';

/** Transition names of other tools. A cross-dissolve is a fade, not FFmpeg's dissolve. */
const aliases: ReadonlyMap<string, TransitionStyle> = new Map([
  ['cross-dissolve', 'fade'],
  ['zoom', 'zoomin'],
]);

/** Styles with a separate `direction` property. */
const directed: ReadonlySet<string> = new Set(['wipe', 'slide', 'smooth', 'cover', 'reveal', 'push', 'whip-pan', 'page-curl']);

/** Easings of styles of motion, which looks best eased. */
const usualEasings = [
  [/^(push|whip-pan|zoom-blur|morph)/, 'easeInOutCubic'],
  [/^page-curl/, 'easeInOutSine'],
] as const;

/** Properties of the style luma alone. */
const lumaProperties = ['src', 'softness', 'invert'] as const;

/** Parses the transition of a scene; undefined if absent or of length 0. */
export function parseTransition(scene: Fields, context: Pick<ElementContext, 'checkUrl'>): Scene['transition'] {
  const fields = scene.object('transition');
  if (fields === undefined) return undefined;
  const style = styleOf(fields);
  const duration = fields.number('duration');
  const luma = parseLuma(fields, style, context);
  const easing = parseEasing(fields, usualEasings.find(([styles]) => styles.test(style))?.[1] ?? 'linear');
  return duration === 0 ? undefined : { style, duration, ...(easing === 'linear' ? {} : { easing }), ...(luma && { luma }) };
}

/** Parses the grey image of a luma transition. */
function parseLuma(fields: Fields, style: TransitionStyle, context: Pick<ElementContext, 'checkUrl'>): LumaWipe | undefined {
  if (style === 'luma') {
    if (fields.optionalString('src') === undefined) fail(fields.pathOf('src'), 'src is required for the transition "luma": the URL of a grey image.');
    return { src: parseUrl(fields, 'src', context), softness: fields.number('softness'), invert: fields.flag('invert') };
  }
  const extra = lumaProperties.find((name) => fields.find(name) !== undefined);
  if (extra !== undefined) fail(fields.pathOf(extra), `${extra} is only allowed for the transition "luma", not "${style}".`);
  return undefined;
}

/** Parses `style`, or its older name `type`. */
function styleOf(fields: Fields): TransitionStyle {
  const name = fields.optionalString('style') ?? fields.optionalString('type') ?? fields.string('style');
  // FFmpeg's names are a single word.
  const separator = name === 'push' || name === 'whip-pan' || name === 'page-curl' ? '-' : '';
  if (directed.has(name)) return `${name}${separator}${fields.string('direction')}` as TransitionStyle;
  const direction = fields.find('direction');
  if (name === 'light-leak' && direction !== undefined) return `light-leak-${direction.value as 'left' | 'right' | 'up' | 'down'}`;
  const style = aliases.get(name) ?? (name as TransitionStyle);
  if (direction !== undefined && !style.endsWith(String(direction.value))) {
    fail(direction.path, `The transition "${name}" takes no direction; ${[...directed, 'light-leak'].join(', ')} do.`);
  }
  return style;
}
