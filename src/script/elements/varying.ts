import type { ValueTrack, Varying } from '../animation/index.js';
import { cssName } from '../css/index.js';
import type { Keyframe } from '../movie.js';
import { alternatives, fail, joinPath, propertyName, ScriptError, show } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import { propertySchema, schemaPart } from '../validation/schema.js';
import { unknownProperty } from '../validation/schema-errors.js';
import { spellings } from '../validation/spellings.js';

type RawObject = Readonly<Record<string, unknown>>;

/** Properties of keyframes for which an element is drawn anew. */
const drawnProperties = ['font-size', 'font-weight', 'line-height', 'letter-spacing', 'settings', 'theme'];

/** Which of them a type of element has. */
const propertiesOf: Readonly<Record<'text' | 'component', readonly string[]>> = {
  text: ['font-size', 'font-weight', 'line-height', 'letter-spacing', 'settings'],
  component: ['settings', 'theme'],
};

const isObject = (value: unknown): value is RawObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a keyframe property for which elements of a type are not drawn anew, or undefined. */
export function undrawnProperty(keyframe: Fields, type: string): string | undefined {
  const allowed = type === 'text' || type === 'component' ? propertiesOf[type] : [];
  return drawnProperties.find((name) => !allowed.includes(name) && keyframe.find(name) !== undefined);
}

/** Which elements have a keyframe property for which elements are drawn anew. */
export function typesWith(property: string): string[] {
  return Object.entries(propertiesOf).flatMap(([type, properties]) => (properties.includes(property) ? [type] : []));
}

/** What an element needs to be drawn anew. */
interface VaryingInput<E> {
  type: 'text' | 'component';
  /** The element in the script, and its path. */
  object: RawObject;
  path: string;
  /** The parsed ones. */
  keyframes: readonly Keyframe[];
  /** Parses the element without keyframes. Throws ScriptError. */
  parse(object: RawObject): E;
}

/** The values of an element's keyframes for which it is drawn anew; absent without them. Throws SCHEMA_VALIDATION_ERROR for an invalid value, at its keyframe. */
export function parseVarying<E>({ type, object, path, keyframes, parse }: VaryingInput<E>): { varying?: Varying<E> } {
  const raw = (object.keyframes ?? []) as RawObject[];
  const tracks = new Map<string, ValueTrack & { keys: Array<ValueTrack['keys'][number]> }>();
  for (const [index, keyframe] of raw.entries()) {
    const { time, easing } = keyframes[index] as Keyframe;
    for (const { path: names, value } of valuesOf(keyframe, type)) {
      const key = JSON.stringify(names);
      const track = tracks.get(key) ?? { path: names, keys: [] };
      track.keys.push({ time, easing, value });
      tracks.set(key, track);
    }
  }
  if (tracks.size === 0) return {};
  const { keyframes: _, ...still } = object;
  const list = [...tracks.values()];
  const at = (values: readonly unknown[]) =>
    parse(list.reduce<RawObject>((changed, track, index) => withValue(changed, track.path, values[index], type), still));
  for (const [index, keyframe] of raw.entries())
    checkKeyframe(valuesOf(keyframe, type), joinPath(joinPath(path, 'keyframes'), index), { still, path, type, parse });
  return { varying: { tracks: list, at } };
}

interface RawValue {
  path: string[];
  value: unknown;
}

/** The values of a keyframe, down to what is no object. */
function valuesOf(keyframe: RawObject, type: 'text' | 'component'): RawValue[] {
  return propertiesOf[type].flatMap((name) => {
    const value = spellings(name)
      .map((key) => keyframe[key])
      .find((one) => one !== undefined && one !== null);
    return value === undefined ? [] : leavesOf(value, [name], type);
  });
}

function leavesOf(value: unknown, path: string[], type: 'text' | 'component'): RawValue[] {
  if (!isObject(value)) return value === null ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, type === 'text' ? cssName(name) : name], type));
}

/** The object with a value at a path. Other spellings of the property, and a text's property beside its settings, which would win, are left out. */
function withValue(object: RawObject, [name = '', ...rest]: readonly string[], value: unknown, type: 'text' | 'component'): RawObject {
  const inner = isObject(object[name]) ? object[name] : {};
  if (rest.length > 0) return { ...(type === 'text' ? without(object, rest[0] ?? '') : object), [name]: withValue(inner, rest, value, type) };
  return { ...(type === 'text' ? without(object, name) : object), [name]: value };
}

function without(object: RawObject, property: string): RawObject {
  const names = new Set([...spellings(property), property]);
  return Object.fromEntries(Object.entries(object).filter(([key]) => !names.has(key) && cssName(key) !== property));
}

/** Parses the element as it is at a keyframe, so that its errors are those of the keyframe. */
function checkKeyframe<E>(
  values: readonly RawValue[],
  at: string,
  { still, path, type, parse }: Pick<VaryingInput<E>, 'path' | 'type' | 'parse'> & { still: RawObject },
): void {
  const font = values.find(({ path: names }) => type === 'text' && /^font(-family|-url|-style)?$/.test(names.at(-1) ?? ''));
  if (font !== undefined) {
    const where = font.path.reduce(joinPath, at);
    fail(where, `${propertyName(where)} cannot change in keyframes; only numbers, lengths and colours of a text can.`);
  }
  for (const value of values) checkValue(value, at, type);
  try {
    parse(values.reduce<RawObject>((changed, { path: names, value }) => withValue(changed, names, value, type), still));
  } catch (error) {
    if (!(error instanceof ScriptError) || error.path === undefined || !error.path.startsWith(`${path}.`)) throw error;
    throw error.with({ path: joinPath(at, error.path.slice(path.length + 1)) });
  }
}

/** Checks a value of a text or of a theme against its schema; the schemas of components are those of their packs. */
function checkValue({ path: names, value }: RawValue, at: string, type: 'text' | 'component'): void {
  const [group, name] = names;
  if (name === undefined || (type === 'component' && group !== 'theme')) return;
  const part = schemaPart(type === 'text' ? 'textSettings' : 'theme');
  const where = names.reduce(joinPath, at);
  const own = type === 'text' ? ownProperty(name, value) : undefined;
  if (own !== undefined) fail(where, `${propertyName(where)} in the settings of keyframes is not drawn; write ${own} beside settings.`);
  const property = propertySchema(part, name);
  if (property === undefined && type === 'component') throw unknownProperty(joinPath(at, 'theme'), name, part);
  const isText = typeof value === 'string' || typeof value === 'number';
  if (!isText) fail(where, `${propertyName(where)} must be a number or a string, not ${show(value)}.`);
  if (property?.enum !== undefined && !property.enum.includes(value))
    fail(where, `${propertyName(where)} must be one of ${alternatives(property.enum.map(show))}, not ${show(value)}.`);
}

/** The keyframe property for a setting that the whole element has. */
function ownProperty(name: string, value: unknown): string | undefined {
  if (name === 'opacity') return 'opacity';
  return name === 'filter' && /\bblur\(/.test(String(value)) ? 'blur' : undefined;
}
