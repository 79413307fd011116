import { cssName, isCssProperty } from '../css/index.js';
import { isObject, type Raw } from '../raw.js';
import { propertySchema, schemaPart } from '../validation/schema.js';
import { mapElements } from './parts.js';

/** Renames CSS properties of text settings to the schema's spelling: `fontSize` and `WebkitLineClamp` become font-size and line-clamp. */
export function normalizeCssNames(script: unknown): unknown {
  return isObject(script) ? mapElements(script, renameSettings) : script;
}

function renameSettings(raw: Raw): Raw {
  if (raw.type !== 'text' || !isObject(raw.settings)) return raw;
  const { settings } = raw;
  const schema = schemaPart('textSettings');
  const name = (key: string) => {
    if (!/[a-z][A-Z]|^-?(webkit|moz|ms|o)[-A-Z]/i.test(key) || propertySchema(schema, key) !== undefined) return key;
    const css = cssName(key);
    const isKnown = propertySchema(schema, css) !== undefined || isCssProperty(css);
    return isKnown && !Object.hasOwn(settings, css) ? css : key;
  };
  const entries = Object.entries(settings);
  return entries.every(([key]) => name(key) === key) ? raw : { ...raw, settings: Object.fromEntries(entries.map(([key, value]) => [name(key), value])) };
}
