const lineWidth = 96;

/** Formats JSON: values that fit stay on one line, others are indented by two spaces. */
export function formatJson(value: unknown, indent = ''): string {
  const short = onOneLine(value);
  if (typeof value !== 'object' || value === null) return short;
  if (indent.length + short.length <= lineWidth && !holdsObjects(value)) return short;
  const deeper = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item) => formatJson(item, deeper))
    : Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${formatJson(inner, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return entries.length === 0 ? `${open}${close}` : `${open}\n${entries.map((entry) => deeper + entry).join(',\n')}\n${indent}${close}`;
}

/** True for objects with arrays of objects, which always span several lines. */
function holdsObjects(value: object): boolean {
  return Object.values(value).some((inner) => Array.isArray(inner) && inner.some((item) => typeof item === 'object' && item !== null));
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${onOneLine(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
