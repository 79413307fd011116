type Raw = Readonly<Record<string, unknown>>;

const theirKinds: ReadonlySet<unknown> = new Set(['voice', 'html', 'component', 'audiogram', 'subtitles']);
const theirProperties: ReadonlySet<string> = new Set(['settings', 'resolution', 'iterate', 'condition', 'component', 'resize', 'draft', 'project', 'cache']);
/** Hyphenated in our own language too. */
const ourHyphens: ReadonlySet<string> = new Set(['background-color']);

/**
 * Scripts of JSON2Video write "1080" for a width, and no-code tools "true" for a switch; ours must not. So numbers and
 * truth values in strings count as such in our own properties too where something else in the script is of that service's
 * language alone.
 */
export function parseTypedStrings(script: unknown): unknown {
  if (!isObject(script) || !usesJson2VideoSyntax(script)) return script;
  const movie = converted(script, { width: whole, height: whole, fps: decimal, draft: truth, cache: truth });
  const scenes = mapList(movie.scenes, (scene) => withElements(converted(scene, { duration: decimal, cache: truth })));
  return withElements(scenes === movie.scenes ? movie : { ...movie, scenes });
}

function withElements(container: Raw): Raw {
  const elements = mapList(container.elements, (element) => {
    const typed = withTexts(converted(element, elementForms));
    if (!isObject(typed.settings) || typed.type !== 'subtitles') return typed;
    const settings = converted(typed.settings, { 'all-caps': truth, all_caps: truth });
    return settings === typed.settings ? typed : { ...typed, settings };
  });
  return elements === container.elements ? container : { ...container, elements };
}

/** What a spreadsheet or a no-code tool makes of a text of digits: 2026 of "2026", 3 of "003". */
function withTexts(element: Raw): Raw {
  const { type, text, style } = element;
  const said = (type === 'text' || type === 'voice') && typeof text === 'number' ? { text: String(text) } : {};
  const named = typeof style === 'number' || typeof style === 'string' ? String(style).trim() : '';
  const drawn = type === 'text' && /^\d{1,2}$/.test(named) ? { style: named.padStart(3, '0') } : {};
  return Object.keys(said).length + Object.keys(drawn).length === 0 ? element : { ...element, ...said, ...drawn };
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

function converted(part: Raw, forms: Readonly<Record<string, RegExp>>): Raw {
  const typed = Object.entries(forms).flatMap(([key, form]) => {
    const value = Object.hasOwn(part, key) ? part[key] : undefined;
    return typeof value === 'string' && form.test(value) ? [[key, form === truth ? value.trim().toLowerCase() === 'true' : Number(value)]] : [];
  });
  return typed.length === 0 ? part : { ...part, ...Object.fromEntries(typed) };
}

/** The same list when nothing in it changes. */
function mapList(list: unknown, map: (part: Raw) => Raw): unknown {
  if (!Array.isArray(list)) return list;
  const mapped = list.map((part) => (isObject(part) ? map(part) : part));
  return mapped.every((part, index) => part === list[index]) ? list : mapped;
}

/** Whether something in the script is of JSON2Video's language alone. */
export function usesJson2VideoSyntax(movie: Raw): boolean {
  const scenes = listOf(movie.scenes);
  return [movie, ...scenes, ...[movie, ...scenes].flatMap((container) => listOf(container.elements))].some(
    (part) => theirKinds.has(part.type) || Object.keys(part).some((key) => theirProperties.has(key) || (key.includes('-') && !ourHyphens.has(key))),
  );
}

function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
