import { isObject, type Raw } from '../raw.js';

/** Sets a property; returns the same object when the value is unchanged. */
export function replaceProperty(raw: Raw, name: string, value: unknown): Raw {
  return value === raw[name] ? raw : { ...raw, [name]: value };
}

/** Maps the objects of a list; returns the same list when nothing changes. */
export function mapObjects(list: unknown, map: (part: Raw) => Raw): unknown {
  if (!Array.isArray(list)) return list;
  const parts = list.map((part) => (isObject(part) ? map(part) : part));
  return parts.every((part, index) => part === list[index]) ? list : parts;
}

/** Maps the elements of all scenes, of the movie and of groups. */
export function mapElements(movie: Raw, map: (element: Raw) => Raw): Raw {
  const mapIn = (container: Raw): Raw =>
    replaceProperty(
      container,
      'elements',
      mapObjects(container.elements, (element) => map(mapGroup(element))),
    );
  const mapGroup = (element: Raw): Raw => (element.type === 'group' ? mapIn(element) : element);
  return mapIn(replaceProperty(movie, 'scenes', mapObjects(movie.scenes, mapIn)));
}
