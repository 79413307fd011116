import { cssName } from '../../../script/index.js';

/** Text properties that boxes do not pass on to their children. */
const ownTextKeys = [
  'text-decoration',
  'text-decoration-line',
  'text-decoration-color',
  'text-decoration-style',
  'text-decoration-thickness',
  'text-overflow',
  'line-clamp',
] as const;

/** All text properties. */
export const textKeys = [
  ...ownTextKeys,
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'color',
  'text-align',
  'line-height',
  'letter-spacing',
  'word-spacing',
  'text-indent',
  'white-space',
  'direction',
  'font-variant',
  'font-variant-caps',
  'font-kerning',
  'text-underline-offset',
  'text-transform',
  'text-shadow',
  'text-stroke',
  'text-stroke-width',
  'text-stroke-color',
  'text-fill-color',
  'word-break',
  'overflow-wrap',
  'text-wrap',
  'hyphens',
  'lang',
] as const;

/** Properties that children inherit. */
export const inheritedKeys: readonly string[] = textKeys.filter((key) => !(ownTextKeys as readonly string[]).includes(key));

const sides = ['top', 'right', 'bottom', 'left'] as const;
const corners = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;

const boxKeys: readonly string[] = [
  'display',
  'position',
  ...sides,
  'width',
  'height',
  'min-width',
  'min-height',
  'max-width',
  'max-height',
  'aspect-ratio',
  'margin',
  ...sides.map((side) => `margin-${side}`),
  'padding',
  ...sides.map((side) => `padding-${side}`),
  'flex-direction',
  'flex-wrap',
  'flex-grow',
  'flex-shrink',
  'flex',
  'justify-content',
  'align-items',
  'align-self',
  'gap',
  'row-gap',
  'column-gap',
  'vertical-align',
  'horizontal-align',
  'background',
  'background-color',
  'background-image',
  'background-size',
  'background-position',
  'background-repeat',
  'background-clip',
  'border',
  'border-width',
  'border-color',
  'border-style',
  ...sides.flatMap((side) => [`border-${side}`, `border-${side}-width`, `border-${side}-color`, `border-${side}-style`]),
  'border-radius',
  ...corners.map((corner) => `border-${corner}-radius`),
  'box-shadow',
  'opacity',
  'overflow',
  'object-fit',
  'object-position',
  'rotate',
  'transform',
  'z-index',
];

/** Alternative names of properties. */
const aliases: Readonly<Record<string, string>> = {
  font: 'font-family',
  'font-color': 'color',
  'vertical-position': 'vertical-align',
  'horizontal-position': 'horizontal-align',
  'background-colour': 'background-color',
  'overflow-x': 'overflow',
  'overflow-y': 'overflow',
};

/** Properties without effect, accepted because components from browsers often have them. */
export const idleKeys: ReadonlySet<string> = new Set([
  'box-sizing',
  'cursor',
  'transition',
  'user-select',
  'list-style',
  'background-attachment',
  'background-origin',
  'font-stretch',
  'text-rendering',
  'border-collapse',
  'border-spacing',
  'clear',
  'align-content',
  'transform-origin',
  'font-smoothing',
  '-webkit-font-smoothing',
]);

/** All supported style properties. */
export const styleKeys: readonly string[] = [...textKeys, ...boxKeys];

/** Normalizes a property name: `Font_Size`, `fontSize`, `-webkit-line-clamp`, `font-color`. */
export function plainKey(key: string): string {
  const hyphenated = cssName(key).replaceAll('_', '-').toLowerCase();
  return (Object.hasOwn(aliases, hyphenated) ? aliases[hyphenated] : undefined) ?? hyphenated;
}
