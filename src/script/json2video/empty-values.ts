import { usesJson2VideoSyntax } from './typed-strings.js';

type Raw = Readonly<Record<string, unknown>>;

/** Choices, measures and switches that only JSON2Video's scripts have. */
const elementProperties: ReadonlySet<string> = new Set([
  ...['resize', 'position', 'x', 'y', 'width', 'height', 'pan', 'mask', 'style', 'voice', 'model', 'language', 'connection'],
  ...['aspect-ratio', 'aspect_ratio', 'blend-mode', 'blend_mode', 'zoom', 'rotate', 'crop', 'correction', 'chroma-key', 'chroma_key', 'scale'],
  ...['pan-distance', 'pan_distance', 'fade-in', 'fade_in', 'fade-out', 'fade_out', 'extra-time', 'extra_time', 'z-index', 'z_index'],
  ...['start', 'duration', 'seek', 'loop', 'volume', 'opacity', 'muted', 'cache', 'tailwind', 'tailwindcss', 'wait', 'dpi', 'amplitude'],
  ...['flip-horizontal', 'flip_horizontal', 'flip-vertical', 'flip_vertical', 'pan-crop', 'pan_crop'],
]);
const transitionProperties: ReadonlySet<string> = new Set(['style', 'type', 'direction', 'duration']);
const movieProperties: ReadonlySet<string> = new Set(['resolution']);
/** Properties that are ours as well, where an empty text or null is a mistake; in their scripts it is none. */
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
/** Measures that belong together: those left empty count as absent, and so does the group when there is no other. */
const groups: readonly string[] = ['rotate', 'crop', 'correction', 'scale', 'chroma-key', 'chroma_key'];
/** A key without its colour says nothing: that is told rather than guessed. */
const neededOfGroups: ReadonlySet<string> = new Set(['color']);
/** Kinds whose settings are styling alone; those of components hold texts, which may be empty. */
const styledKinds: ReadonlySet<unknown> = new Set(['text', 'subtitles']);

/**
 * A script without the values that an editor or a no-code tool left empty: text that is "" where a choice or a measure belongs, and
 * null in styling, mean that nothing was chosen. The contents of a script (src, text, captions) are never dropped, so that a variable
 * that came out empty is told of. The same script when there is nothing of the kind.
 */
export function dropEmptyValues(script: unknown): unknown {
  if (!isObject(script)) return script;
  const shared = (raw: Raw, names: ReadonlySet<string>): Raw =>
    theirs ? droppedWhere(raw, (name, value) => names.has(name) && (isEmpty(value) || value === null)) : raw;
  const element = (raw: Raw): Raw => shared(withoutEmptyChoices(raw), sharedOfElements);
  const theirs = usesJson2VideoSyntax(script);
  const movie = shared(dropped(script, movieProperties), sharedOfMovies);
  const scenes = mapped(movie.scenes, (given) => {
    const scene = shared(given, sharedOfScenes);
    const elements = mapped(scene.elements, element);
    const transition = isObject(scene.transition) ? dropped(scene.transition, transitionProperties) : scene.transition;
    return replaced(replaced(scene, 'elements', elements), 'transition', transition);
  });
  return replaced(replaced(movie, 'scenes', scenes), 'elements', mapped(movie.elements, element));
}

function withoutEmptyChoices(raw: Raw): Raw {
  const settings =
    styledKinds.has(raw.type) && isObject(raw.settings) ? droppedWhere(raw.settings, (_, value) => isEmpty(value) || value === null) : raw.settings;
  return groups.reduce(withoutEmptyGroup, replaced(dropped(raw, elementProperties), 'settings', settings));
}

function withoutEmptyGroup(raw: Raw, name: string): Raw {
  const group = raw[name];
  if (!isObject(group)) return raw;
  const values = Object.values(group);
  if (values.length > 0 && values.every((value) => isEmpty(value) || value === null)) return droppedWhere(raw, (property) => property === name);
  return replaced(
    raw,
    name,
    droppedWhere(group, (property, value) => isEmpty(value) && !neededOfGroups.has(property)),
  );
}

function dropped(raw: Raw, names: ReadonlySet<string>): Raw {
  return droppedWhere(raw, (name, value) => names.has(name) && isEmpty(value));
}

function droppedWhere(raw: Raw, drop: (name: string, value: unknown) => boolean): Raw {
  const entries = Object.entries(raw);
  const kept = entries.filter(([name, value]) => !drop(name, value));
  return kept.length === entries.length ? raw : Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function replaced(raw: Raw, name: string, value: unknown): Raw {
  return value === raw[name] ? raw : { ...raw, [name]: value };
}

/** The same list when nothing in it changes. */
function mapped(list: unknown, map: (part: Raw) => Raw): unknown {
  if (!Array.isArray(list)) return list;
  const parts = list.map((part) => (isObject(part) ? map(part) : part));
  return parts.every((part, index) => part === list[index]) ? list : parts;
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
