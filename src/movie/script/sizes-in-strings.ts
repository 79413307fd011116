type Raw = Readonly<Record<string, unknown>>;

const theirKinds: ReadonlySet<unknown> = new Set(['voice', 'html', 'component', 'audiogram', 'subtitles']);
const theirProperties: ReadonlySet<string> = new Set(['settings', 'resolution', 'iterate', 'condition', 'component', 'resize']);

/**
 * Scripts of JSON2Video write "1080" for a width; ours must not. So numbers in strings count as numbers where
 * something else in the script is of that service's language alone.
 */
export function withNumericSize(script: unknown): unknown {
  if (!isObject(script)) return script;
  const sizes = (['width', 'height'] as const).filter((side) => typeof script[side] === 'string' && /^\s*\d{1,5}\s*$/.test(script[side]));
  if (sizes.length === 0 || !isTheirs(script)) return script;
  return { ...script, ...Object.fromEntries(sizes.map((side) => [side, Number(script[side])])) };
}

function isTheirs(movie: Raw): boolean {
  const scenes = listOf(movie.scenes);
  return [movie, ...scenes, ...[movie, ...scenes].flatMap((container) => listOf(container.elements))].some(
    (part) => theirKinds.has(part.type) || Object.keys(part).some((key) => key.includes('-') || theirProperties.has(key)),
  );
}

function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
