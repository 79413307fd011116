import { cssName, isCssProperty } from '../css/index.js';
import { propertySchema, schemaPart } from './schema.js';

const kinds = ['text', 'image', 'lottie', 'video', 'audio', 'voice', 'html', 'component', 'audiogram', 'subtitles', 'group'] as const;
const kindTitles = new Set(kinds.map((kind) => schemaPart(kind).title));

/** Says where a property belongs that the part with this schema title does not have; undefined for unknown properties. */
export function ownerHint(name: string, title: string | undefined): string | undefined {
  if (title === 'Subtitles' && isOf('subtitleSettings', name)) return 'it belongs in its settings';
  if (title === 'Text' && (isOf('textSettings', name) || isCssProperty(cssName(name)))) return 'it belongs in its settings';
  if (title === 'Component' && (isOf('textSettings', name) || isOf('text', name) || isOf('image', name)))
    return 'it belongs in a group of its settings, such as "settings": {"headline": {"text": "Hello"}}';
  if (title === 'Subtitle settings' && isOf('subtitles', name)) return 'it belongs on the element itself, not into its settings';
  if (title === 'Text settings' && isOf('text', name)) return 'it belongs on the element itself, not into its settings';
  const owners = kinds.filter((kind) => isOf(kind, name));
  if (title === 'Movie script') return isOf('scene', name) ? 'it belongs on a scene' : owners.length > 0 ? 'it belongs on an element' : undefined;
  if (title === 'Scene') return owners.length > 0 ? 'it belongs on an element of the scene' : ofMovie(name);
  if (!kindTitles.has(title)) return undefined;
  if (isOf('scene', name)) return 'it belongs on the scene';
  if (owners.length > 0) return `only ${list(owners)} ${owners.length === 1 ? 'has' : 'have'} it`;
  return ofMovie(name);
}

function ofMovie(name: string): string | undefined {
  return isOf('', name) ? 'it belongs at the top of the movie script' : undefined;
}

function isOf(part: string, name: string): boolean {
  const schema = schemaPart(part);
  return [name, name.replaceAll('_', '-')].some((key) => propertySchema(schema, key) !== undefined);
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
