import { cssName, isCssProperty } from '../css/index.js';
import { propertySchema, schemaPart } from '../validation/schema.js';

type Raw = Readonly<Record<string, unknown>>;

/** A script whose texts name their styling as the schema does: `fontSize` and `WebkitLineClamp` are font-size and line-clamp. The same script where none is so named. */
export function normalizeCssNames(script: unknown): unknown {
  if (!isObject(script)) return script;
  const movie = replaced(script, 'elements', mapped(script.elements, element));
  return replaced(
    movie,
    'scenes',
    mapped(movie.scenes, (scene) => replaced(scene, 'elements', mapped(scene.elements, element))),
  );
}

function element(raw: Raw): Raw {
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

function replaced(raw: Raw, name: string, value: unknown): Raw {
  return value === raw[name] ? raw : { ...raw, [name]: value };
}

function mapped(list: unknown, map: (part: Raw) => Raw): unknown {
  if (!Array.isArray(list)) return list;
  const parts = list.map((part) => (isObject(part) ? map(part) : part));
  return parts.every((part, index) => part === list[index]) ? list : parts;
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
