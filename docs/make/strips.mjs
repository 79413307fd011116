import { drawnStrips } from './drawn-strips.mjs';
import { keyframeStrips } from './keyframe-strips.mjs';
import { textSettingsStrips } from './text-settings-strips.mjs';
import { visualStrips } from './visual-strips.mjs';

/**
 * A small image for every visual property: a strip of variants, or of instants.
 * Each strip: `of` (section of the page and property), `tiles` (label, script, second), and how many stand in a row.
 */
export const strips = [...visualStrips, ...drawnStrips, ...keyframeStrips, ...textSettingsStrips];

/** Properties that are another one's other name. */
const sameAs = {
  'scene.background_color': 'scene.background',
  'transition.type': 'transition.style',
  'scale.width': 'place.width',
  'text.font_family': 'text.font',
  'text.font_color': 'text.color',
  'text.-webkit-text-stroke': 'text.text_stroke',
  'text.horizontal_align': 'text.horizontal_position',
  'text.vertical_align': 'text.vertical_position',
  'html.tailwindcss': 'html.tailwind',
  'subtitles.src': 'subtitles.captions',
};

/** The strip of a property, and its file in docs/. */
export function stripOf(section, name) {
  const key = `${section}.${name}`;
  const strip = strips.find(({ of }) => of === (sameAs[key] ?? key));
  return strip && { ...strip, file: fileOf(strip) };
}

export function fileOf({ of }) {
  return `images/properties/${of.replaceAll(/[._]/g, '-')}.webp`;
}
