import type { Freeze } from '../movie.js';
import { fail, joinPath } from '../validation/fail.js';
import { Fields } from '../validation/fields.js';
import { schemaPart } from '../validation/schema.js';

/** Parses `freeze` of a video; absent when nothing freezes. Throws SCHEMA_VALIDATION_ERROR when freezes overlap. */
export function parseFreeze(element: Fields): { freeze?: Freeze[] } {
  const found = element.find('freeze');
  if (found === undefined) return {};
  const schema = schemaPart('freezeSpan');
  const listed = Array.isArray(found.value)
    ? found.value.map((object, index) => ({ object, path: joinPath(found.path, index) }))
    : [{ ...found, object: found.value }];
  const freezes = listed.map(({ object, path }) => {
    const fields = new Fields({ object: object as Record<string, unknown>, path, schema });
    return { path: fields.pathOf('time'), time: fields.number('time'), duration: fields.number('duration') };
  });
  for (const [index, { path, time }] of freezes.entries()) {
    const before = freezes[index - 1];
    if (before === undefined || time >= before.time + before.duration) continue;
    fail(path, `time must be at or after the end of the freeze before, which is ${Number((before.time + before.duration).toFixed(3))}, not ${time}.`);
  }
  return freezes.length === 0 ? {} : { freeze: freezes.map(({ time, duration }) => ({ time, duration })) };
}
