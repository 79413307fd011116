/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A number with fixed decimals; a dash if it is missing. */
export function fixed(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(digits);
}

/** A number with a sign, except for 0; a dash if it is missing. */
export function signed(value: number | undefined, digits: number): string {
  if (value === undefined) return '–';
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

/** Bytes as whole megabytes. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
