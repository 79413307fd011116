import { cssName, cssPropertyNames, type Declarations, isCssProperty } from '../../css/index.js';
import { joinPath } from '../../validation/fail.js';
import { ownerHint } from '../../validation/owner-hint.js';
import { propertyHint } from '../../validation/property-hints.js';
import { propertySchema, schemaPart } from '../../validation/schema.js';
import { unknownProperty } from '../../validation/schema-errors.js';

/** The settings of a text as CSS declarations; `path` maps a property to its path in the script. */
export interface TextDeclarations {
  declared: Declarations;
  path: (key: string) => string;
}

/** Supported properties that the schema does not list. */
const supported = new Set([
  ...['top', 'right', 'bottom', 'left'].flatMap((side) => [`border-${side}-width`, `border-${side}-style`, `border-${side}-color`]),
  ...['outline-width', 'outline-style', 'outline-color', 'font-variant-caps', 'justify-items', 'place-items', 'align-content', 'text-wrap-mode'],
]);

/** Properties without a visible effect in a video; accepted silently. */
const ignored = new Set([
  ...['box-sizing', 'cursor', 'user-select', 'pointer-events', 'will-change', 'text-rendering', 'font-smooth', 'font-smoothing', '-webkit-font-smoothing'],
  ...['-moz-osx-font-smoothing', '-webkit-tap-highlight-color', 'text-size-adjust', 'font-synthesis', 'font-display', 'box-orient', 'overflow-x', 'overflow-y'],
]);

const initialValue = /^(none|normal|auto|initial|inherit|unset|revert|static|visible|0|0px|0s|false)?$/;

/** Converts settings to CSS declarations; empty values are dropped. */
export function parseDeclarations(settings: Readonly<Record<string, unknown>>, path: string): TextDeclarations {
  const declared: Record<string, string | number> = {};
  const keys = new Map<string, string>();
  for (const [key, value] of Object.entries(settings)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const name = cssName(key);
    if (typeof value === 'string' && value.trim() === '') continue;
    declared[name] = value;
    keys.set(name, key);
  }
  return { declared, path: (name) => joinPath(path, keys.get(name) ?? name) };
}

/** Returns a warning for each unsupported CSS property. Throws SCHEMA_VALIDATION_ERROR for a name that is not a CSS property. */
export function unsupportedProperties(settings: Readonly<Record<string, unknown>>, path: string): string[] {
  const schema = schemaPart('textSettings');
  const warnings: string[] = [];
  for (const [key, value] of Object.entries(settings)) {
    const name = cssName(key);
    if (key.startsWith('_') || [key, name].some((known) => propertySchema(schema, known) !== undefined)) continue;
    if (!isCssProperty(name) && !ignored.has(name)) throw unknownProperty(path, key, schema, { more: cssPropertyNames() });
    if (supported.has(name) || ignored.has(name) || initialValue.test(String(value ?? '').trim())) continue;
    const hint = propertyHint(name, schema.title) ?? ownerHint(key, schema.title);
    warnings.push(`settings.${key} is a CSS property that is not drawn${hint === undefined ? '' : `; ${hint}`}`);
  }
  return warnings;
}
