type Raw = Readonly<Record<string, unknown>>;

const theirKinds: ReadonlySet<unknown> = new Set(['voice', 'html', 'component', 'audiogram', 'subtitles']);
const theirProperties: ReadonlySet<string> = new Set(['settings', 'resolution', 'iterate', 'condition', 'component', 'resize', 'draft', 'project', 'cache']);
/** Hyphenated in our own language too. */
const ourHyphens: ReadonlySet<string> = new Set(['background-color']);

/**
 * Scripts of JSON2Video write "1080" for a width; ours must not. So numbers in strings count as numbers in our own
 * properties too where something else in the script is of that service's language alone.
 */
export function withNumbers(script: unknown): unknown {
  if (!isObject(script) || !isTheirs(script)) return script;
  const movie = converted(script, { width: whole, height: whole, fps: decimal });
  const scenes = mapList(movie.scenes, (scene) => withOpacities(converted(scene, { duration: decimal })));
  return withOpacities(scenes === movie.scenes ? movie : { ...movie, scenes });
}

function withOpacities(container: Raw): Raw {
  const elements = mapList(container.elements, (element) => converted(element, { opacity: decimal }));
  return elements === container.elements ? container : { ...container, elements };
}

const whole = /^\s*\d{1,5}\s*$/;
const decimal = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/;

function converted(part: Raw, forms: Readonly<Record<string, RegExp>>): Raw {
  const numbers = Object.entries(forms).flatMap(([key, form]) => {
    const value = Object.hasOwn(part, key) ? part[key] : undefined;
    return typeof value === 'string' && form.test(value) ? [[key, Number(value)]] : [];
  });
  return numbers.length === 0 ? part : { ...part, ...Object.fromEntries(numbers) };
}

/** The same list when nothing in it changes. */
function mapList(list: unknown, map: (part: Raw) => Raw): unknown {
  if (!Array.isArray(list)) return list;
  const mapped = list.map((part) => (isObject(part) ? map(part) : part));
  return mapped.every((part, index) => part === list[index]) ? list : mapped;
}

function isTheirs(movie: Raw): boolean {
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
