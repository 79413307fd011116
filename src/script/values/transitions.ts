import type { Scene, TransitionStyle } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { parseEasing } from './easings.js';

/** Transition names of other tools. A cross-dissolve is a fade, not FFmpeg's dissolve. */
const aliases: ReadonlyMap<string, TransitionStyle> = new Map([
  ['cross-dissolve', 'fade'],
  ['zoom', 'zoomin'],
]);

/** Styles with a separate `direction` property. */
const directed: ReadonlySet<string> = new Set(['wipe', 'slide', 'smooth', 'cover', 'reveal', 'push', 'whip-pan']);

/** Styles of fast motion, which looks best eased. */
const easedStyles = /^(push|whip-pan|zoom-blur)/;

/** Parses the transition of a scene; undefined if absent or of length 0. */
export function parseTransition(scene: Fields): Scene['transition'] {
  const fields = scene.object('transition');
  if (fields === undefined) return undefined;
  const style = styleOf(fields);
  const duration = fields.number('duration');
  const easing = parseEasing(fields, easedStyles.test(style) ? 'easeInOutCubic' : 'linear');
  return duration === 0 ? undefined : { style, duration, ...(easing === 'linear' ? {} : { easing }) };
}

/** Parses `style`, or its older name `type`. */
function styleOf(fields: Fields): TransitionStyle {
  const name = fields.optionalString('style') ?? fields.optionalString('type') ?? fields.string('style');
  // FFmpeg's names are a single word.
  const separator = name === 'push' || name === 'whip-pan' ? '-' : '';
  if (directed.has(name)) return `${name}${separator}${fields.string('direction')}` as TransitionStyle;
  const direction = fields.find('direction');
  const style = aliases.get(name) ?? (name as TransitionStyle);
  if (direction !== undefined && !style.endsWith(String(direction.value))) {
    fail(direction.path, `The transition "${name}" takes no direction; ${[...directed].join(', ')} do.`);
  }
  return style;
}
