import { isObject, type Raw } from '../raw.js';
import { mapElements, mapObjects, replaceProperty } from './parts.js';

const json2VideoTypes: ReadonlySet<unknown> = new Set(['voice', 'html', 'component', 'audiogram', 'subtitles']);
const json2VideoProperties: ReadonlySet<string> = new Set([
  'settings',
  'resolution',
  'iterate',
  'condition',
  'component',
  'resize',
  'draft',
  'project',
  'cache',
]);
/** Hyphenated names that Framewright's own scripts use too. */
const nativeHyphenated: ReadonlySet<string> = new Set(['background-color']);

/**
 * Converts numbers and booleans in strings ("1080", "true"), which JSON2Video accepts, in the properties that Framewright's own
 * scripts have too. Applies to the parts that lenientParts() selects.
 */
export function parseTypedStrings(script: unknown): unknown {
  if (!isObject(script)) return script;
  const isLenient = lenientParts(script);
  const movie = isLenient(script) ? convert(script, { width: whole, height: whole, fps: decimal, draft: truth, cache: truth }) : script;
  const scenes = mapObjects(movie.scenes, (scene) => (isLenient(scene) ? convert(scene, { duration: decimal, cache: truth }) : scene));
  return mapElements(replaceProperty(movie, 'scenes', scenes), (element) => (isLenient(element) ? convertElement(element) : element));
}

function convertElement(element: Raw): Raw {
  const typed = restoreText(convert(element, elementForms));
  if (!isObject(typed.settings) || typed.type !== 'subtitles') return typed;
  return replaceProperty(typed, 'settings', convert(typed.settings, { 'all-caps': truth, all_caps: truth }));
}

/** Restores text that spreadsheets and no-code tools turn into numbers: 2026 becomes "2026", style 3 becomes "003". */
function restoreText(element: Raw): Raw {
  const { type, text, style } = element;
  const spoken = (type === 'text' || type === 'voice') && typeof text === 'number' ? { text: String(text) } : {};
  const named = typeof style === 'number' || typeof style === 'string' ? String(style).trim() : '';
  const styled = type === 'text' && /^\d{1,2}$/.test(named) ? { style: named.padStart(3, '0') } : {};
  return Object.keys(spoken).length + Object.keys(styled).length === 0 ? element : { ...element, ...spoken, ...styled };
}

const whole = /^\s*\d{1,5}\s*$/;
const decimal = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/;
const truth = /^\s*(?:true|false)\s*$/i;

const elementForms: Readonly<Record<string, RegExp>> = {
  opacity: decimal,
  ...Object.fromEntries(
    [
      'muted',
      'loop',
      'cache',
      'markup',
      'tailwind',
      'tailwindcss',
      'pan-crop',
      'pan_crop',
      'flip-horizontal',
      'flip_horizontal',
      'flip-vertical',
      'flip_vertical',
    ].map((name) => [name, truth]),
  ),
};

function convert(part: Raw, forms: Readonly<Record<string, RegExp>>): Raw {
  const typed = Object.entries(forms).flatMap(([key, form]) => {
    const value = Object.hasOwn(part, key) ? part[key] : undefined;
    return typeof value === 'string' && form.test(value) ? [[key, form === truth ? value.trim().toLowerCase() === 'true' : Number(value)]] : [];
  });
  return typed.length === 0 ? part : { ...part, ...Object.fromEntries(typed) };
}

/**
 * Selects the parts of a script (movie, scenes, elements) to which JSON2Video's leniencies apply: all parts of a script with elements or
 * properties that come from JSON2Video, otherwise those with a hyphenated name, JSON2Video's spelling, on themselves or inside them.
 */
export function lenientParts(movie: Raw): (part: Raw) => boolean {
  const isJson2Video = someWithin(movie, (part) => json2VideoTypes.has(part.type) || Object.keys(part).some((key) => json2VideoProperties.has(key)));
  const isHyphenated = (part: Raw): boolean => Object.keys(part).some((key) => key.includes('-') && !nativeHyphenated.has(key));
  return (part) => isJson2Video || someWithin(part, isHyphenated);
}

function someWithin(part: Raw, matches: (part: Raw) => boolean): boolean {
  return matches(part) || [...listOf(part.scenes), ...listOf(part.elements)].some((inner) => someWithin(inner, matches));
}

function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
