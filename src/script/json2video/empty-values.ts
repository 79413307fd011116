import { isObject, type Raw } from '../raw.js';
import { mapElements, mapObjects, replaceProperty } from './parts.js';
import { lenientParts } from './typed-strings.js';

/** Choices, measures and switches of elements that may be empty in any script. */
const elementProperties: ReadonlySet<string> = new Set([
  ...['resize', 'position', 'x', 'y', 'width', 'height', 'pan', 'mask', 'style', 'voice', 'model', 'language', 'connection'],
  ...['aspect-ratio', 'aspect_ratio', 'blend-mode', 'blend_mode', 'zoom', 'rotate', 'crop', 'correction', 'chroma-key', 'chroma_key', 'scale'],
  ...['white-balance', 'white_balance', 'curves', 'lut', 'sharpen', 'vignette', 'grain', 'motion-blur', 'motion_blur'],
  ...['glow', 'drop-shadow', 'drop_shadow', 'rotate-x', 'rotate_x', 'rotate-y', 'rotate_y', 'perspective', 'corners', 'anchor'],
  ...['pan-distance', 'pan_distance', 'fade-in', 'fade_in', 'fade-out', 'fade_out', 'extra-time', 'extra_time', 'z-index', 'z_index'],
  ...[
    'start',
    'duration',
    'seek',
    'loop',
    'volume',
    'opacity',
    'muted',
    'balance',
    'pitch',
    'equalizer',
    'compressor',
    'reverb',
    'limiter',
    'skew-x',
    'skew_x',
    'skew-y',
    'skew_y',
    'denoise',
    'cache',
    'markup',
    'tailwind',
    'tailwindcss',
    'wait',
    'dpi',
    'amplitude',
    'frame-blending',
    'frame_blending',
  ],
  ...['flip-horizontal', 'flip_horizontal', 'flip-vertical', 'flip_vertical', 'pan-crop', 'pan_crop', 'animate'],
]);
const transitionProperties: ReadonlySet<string> = new Set(['style', 'type', 'direction', 'duration', 'easing', 'src', 'softness', 'invert']);
const movieProperties: ReadonlySet<string> = new Set(['resolution']);
/** Properties in which an empty text or null is an error, except in JSON2Video scripts. */
const sharedOfMovies: ReadonlySet<string> = new Set(['width', 'height', 'fps', 'quality', 'draft', 'cache', 'settings', 'webhook_uri']);
const sharedOfScenes: ReadonlySet<string> = new Set(['duration', 'background', 'background-color', 'background_color', 'transition', 'cache', 'elements']);
const sharedOfElements: ReadonlySet<string> = new Set([
  'color',
  'font-color',
  'font_color',
  'font-family',
  'font_family',
  'font-size',
  'font_size',
  'settings',
  'opacity',
]);
/** Groups of measures: empty members are dropped, and so is a group with only empty members. */
const groups: readonly string[] = ['rotate', 'crop', 'correction', 'scale', 'chroma-key', 'chroma_key', 'white-balance', 'white_balance', 'curves'];
/** Required members, which stay empty so that validation reports them. */
const requiredInGroups: ReadonlySet<string> = new Set(['color']);
/** Element types whose settings are only styling; settings of components may contain empty texts. */
const styledKinds: ReadonlySet<unknown> = new Set(['text', 'subtitles']);

/**
 * Drops values that an editor or a no-code tool left empty: "" for a choice or measure, null in styling. Contents (src, text,
 * captions) are retained, so that validation reports variables that came out empty.
 */
export function dropEmptyValues(script: unknown): unknown {
  if (!isObject(script)) return script;
  const dropShared = (raw: Raw, names: ReadonlySet<string>): Raw =>
    isLenient(raw) ? dropWhere(raw, (name, value) => names.has(name) && (isEmpty(value) || value === null)) : raw;
  const element = (raw: Raw): Raw => dropShared(dropEmptyChoices(raw), sharedOfElements);
  const isLenient = lenientParts(script);
  const movie = dropShared(drop(script, movieProperties), sharedOfMovies);
  const scenes = mapObjects(movie.scenes, (given) => {
    const scene = dropShared(given, sharedOfScenes);
    return isObject(scene.transition) ? replaceProperty(scene, 'transition', drop(scene.transition, transitionProperties)) : scene;
  });
  return mapElements(replaceProperty(movie, 'scenes', scenes), element);
}

function dropEmptyChoices(raw: Raw): Raw {
  const settings = styledKinds.has(raw.type) && isObject(raw.settings) ? dropWhere(raw.settings, (_, value) => isEmpty(value) || value === null) : raw.settings;
  return groups.reduce(dropEmptyGroup, replaceProperty(drop(raw, elementProperties), 'settings', settings));
}

function dropEmptyGroup(raw: Raw, name: string): Raw {
  const group = raw[name];
  if (!isObject(group)) return raw;
  const values = Object.values(group);
  if (values.length > 0 && values.every((value) => isEmpty(value) || value === null)) return dropWhere(raw, (property) => property === name);
  return replaceProperty(
    raw,
    name,
    dropWhere(group, (property, value) => isEmpty(value) && !requiredInGroups.has(property)),
  );
}

function drop(raw: Raw, names: ReadonlySet<string>): Raw {
  return dropWhere(raw, (name, value) => names.has(name) && isEmpty(value));
}

function dropWhere(raw: Raw, isDropped: (name: string, value: unknown) => boolean): Raw {
  const entries = Object.entries(raw);
  const retained = entries.filter(([name, value]) => !isDropped(name, value));
  return retained.length === entries.length ? raw : Object.fromEntries(retained);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
