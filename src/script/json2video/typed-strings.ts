import { isObject, mapElements, mapObjects, type Raw, replaceProperty } from './parts.js';

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
 * scripts have too. Applies only to scripts that use JSON2Video syntax elsewhere.
 */
export function parseTypedStrings(script: unknown): unknown {
  if (!isObject(script) || !usesJson2VideoSyntax(script)) return script;
  const movie = convert(script, { width: whole, height: whole, fps: decimal, draft: truth, cache: truth });
  const scenes = mapObjects(movie.scenes, (scene) => convert(scene, { duration: decimal, cache: truth }));
  return mapElements(replaceProperty(movie, 'scenes', scenes), convertElement);
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
    ['muted', 'loop', 'cache', 'tailwind', 'tailwindcss', 'pan-crop', 'pan_crop', 'flip-horizontal', 'flip_horizontal', 'flip-vertical', 'flip_vertical'].map(
      (name) => [name, truth],
    ),
  ),
};

function convert(part: Raw, forms: Readonly<Record<string, RegExp>>): Raw {
  const typed = Object.entries(forms).flatMap(([key, form]) => {
    const value = Object.hasOwn(part, key) ? part[key] : undefined;
    return typeof value === 'string' && form.test(value) ? [[key, form === truth ? value.trim().toLowerCase() === 'true' : Number(value)]] : [];
  });
  return typed.length === 0 ? part : { ...part, ...Object.fromEntries(typed) };
}

/** Whether a script uses syntax that only JSON2Video has. */
export function usesJson2VideoSyntax(movie: Raw): boolean {
  const scenes = listOf(movie.scenes);
  return [movie, ...scenes, ...[movie, ...scenes].flatMap((container) => listOf(container.elements))].some(
    (part) =>
      json2VideoTypes.has(part.type) || Object.keys(part).some((key) => json2VideoProperties.has(key) || (key.includes('-') && !nativeHyphenated.has(key))),
  );
}

function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
