import { normalizeCssNames } from './css-names.js';
import { dropEmptyValues } from './empty-values.js';
import { parseTypedStrings } from './typed-strings.js';

/**
 * Turns the leniencies of JSON2Video scripts (empty values, numbers in strings, camel-case CSS names) into a strict script.
 * Runs before validation; returns the same object when nothing changes.
 */
export function normalizeJson2Video(script: unknown): unknown {
  return normalizeCssNames(parseTypedStrings(dropEmptyValues(script)));
}

/** As normalizeJson2Video(), but keeps strings, whose type is unknown while they may contain placeholders. */
export function normalizeTemplateJson2Video(script: unknown): unknown {
  return normalizeCssNames(dropEmptyValues(script));
}
