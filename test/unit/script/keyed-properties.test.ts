import { describe, expect, test } from 'vitest';
import { movieSchema } from '../../../src/script/index.js';

/** Every number and every colour of a visual element either has keyframes or says here why not. */

interface Part {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Part>;
  items?: Part;
  then?: Part;
}

const parts = movieSchema.$defs as Record<string, Part>;
const visuals = ['image', 'video', 'lottie', 'text', 'html', 'component', 'audiogram', 'group'];

function target(part: Part): Part {
  const name = part.$ref?.replace('#/$defs/', '');
  return name === undefined ? part : target(parts[name] as Part);
}

/** The names of both spellings are the same property. */
const plain = (name: string): string => name.replaceAll('-', '_');

/** A number, or a list or a list of lists of them. */
function isNumber({ type, items }: Part): boolean {
  return [type].flat().some((one) => one === 'number' || one === 'integer') || (items !== undefined && isNumber(target(items)));
}

const isColor = ({ description = '' }: Part): boolean => description.includes('CSS colour name');

/** The numbers and colours of a part, as paths of at most two names. */
function changeable(part: Part, prefix = ''): string[] {
  return Object.entries(part.properties ?? {}).flatMap(([name, reference]) => {
    const property = target(reference);
    const path = `${prefix}${plain(name)}`;
    const inner = target(property.then?.properties === undefined ? property : property.then).properties ?? target(property.then ?? {}).properties;
    const own = isNumber(property) || isColor(property) ? [path] : [];
    return prefix === '' && inner !== undefined ? [...own, ...changeable({ properties: inner }, `${path}.`)] : own;
  });
}

const keyed = new Set(['visualKeyframes', 'videoKeyframes', 'soundKeyframes'].flatMap((name) => changeable(target((parts[name] as Part).items as Part))));

/** Properties whose keyframes have another name. */
const otherNames: Readonly<Record<string, string>> = {
  'rotate.angle': 'rotation',
  'correction.brightness': 'brightness',
  'correction.contrast': 'contrast',
  'correction.gamma': 'gamma',
  'correction.saturation': 'saturation',
  font_color: 'color',
  border_radius: 'corner_radius',
  zoom: 'scale',
  pan_distance: 'x',
  'scale.width': 'width',
  'scale.height': 'height',
};

/** Why properties have no keyframes. */
const exceptions: ReadonlyArray<readonly [reason: string, properties: string]> = [
  ['it is a name', 'id'],
  ['they are times or the order of elements', 'start duration extra_time fade_in fade_out z_index seek loop wait'],
  ['its own property changes it over the time', 'speed rotate.speed'],
  [
    'the settings of keyframes have it',
    'padding padding_top padding_right padding_bottom padding_left margin margin_top margin_right margin_bottom margin_left shadow',
  ],
  ['it is the size of a drawing, which scale changes', 'dpi'],
  ['noise and ducking are measured over the whole sound', 'denoise duck'],
];
const reasonOf = new Map(exceptions.flatMap(([reason, properties]) => properties.split(' ').map((property) => [property, reason] as const)));

/** Of sounds and of texts as CSS; what changes of them has properties of its own. */
const otherObjects = [
  'settings',
  'compressor',
  'reverb',
  'limiter',
  'equalizer',
  'model_settings',
  'theme',
  'animate',
  'variables',
  'client_data',
  'freeze',
  'fade',
];

describe('numbers and colours of visual elements', () => {
  test.each(visuals)('%s: every one has keyframes, or a reason why not', (name) => {
    const properties = [...new Set(changeable(parts[name] as Part))].filter((path) => !otherObjects.includes(path.split('.')[0] as string));
    const missing = properties.filter((path) => !keyed.has(path) && !keyed.has(otherNames[path] ?? '') && !reasonOf.has(path));
    expect(missing).toEqual([]);
  });

  test('no exception is for a property that has keyframes or does not exist', () => {
    const all = new Set(visuals.flatMap((name) => changeable(parts[name] as Part)));
    const names = [...reasonOf.keys(), ...Object.keys(otherNames)];
    expect(names.filter((path) => keyed.has(path) || !all.has(path))).toEqual([]);
    expect(Object.values(otherNames).filter((path) => !keyed.has(path))).toEqual([]);
  });
});
