import { parseCache } from '../validation/cache.js';
import { fail, propertyName } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';
import type { ElementContext } from './context.js';
import { parseKeyframes } from './keyframes.js';

/** Parses the properties of all elements: id, times and keyframes. */
export function parseTimed(fields: Fields, path: string, context: ElementContext) {
  const id = fields.optionalString('id');
  const group = context.groups?.at(-1);
  return {
    path,
    ...(id === undefined ? {} : { id }),
    ...(group === undefined ? {} : { group }),
    start: parseStart(fields),
    duration: parseDuration(fields),
    extraTime: fields.number('extra-time'),
    fadeIn: fields.optionalNumber('fade-in') ?? 0,
    fadeOut: fields.optionalNumber('fade-out') ?? 0,
    keyframes: parseKeyframes(fields, context),
    ...parseCache(fields),
  };
}

/** Checks the range of `start`, because the schema accepts all numeric strings. */
function parseStart(fields: Fields): number {
  const start = fields.number('start');
  const found = fields.find('start');
  if (start < 0 && start !== -1) fail(found?.path ?? '', `${propertyName(found?.path ?? '')} must be 0 or more, or -1, not ${start}.`);
  return start;
}

function parseDuration(fields: Fields): number | 'natural' | 'container' {
  const duration = fields.number('duration');
  if (duration === -1) return 'natural';
  if (duration === -2) return 'container';
  const path = fields.find('duration')?.path ?? '';
  return duration > 0 ? duration : fail(path, `${propertyName(path)} must be greater than 0, or -1 or -2, not ${duration}.`);
}
