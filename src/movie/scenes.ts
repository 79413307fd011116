import { type ElementContext, parseElements } from './elements/index.js';
import type { Scene } from './movie.js';
import { parseCache } from './script/cache.js';
import { joinPath } from './script/fail.js';
import { Fields } from './script/fields.js';
import { schemaPart } from './script/schema.js';
import { parseTransition } from './values/transitions.js';

export function parseScene(object: Readonly<Record<string, unknown>>, path: string, context: ElementContext): Scene {
  const fields = new Fields({ object, path, schema: schemaPart('scene') });
  const duration = fields.find('duration')?.value;
  const transition = parseTransition(fields);
  return {
    path,
    duration: typeof duration === 'number' && duration > 0 ? duration : 'auto',
    background: fields.color('background'),
    elements: parseElements(fields.find('elements')?.value, joinPath(path, 'elements'), context),
    ...(transition === undefined ? {} : { transition }),
    ...parseCache(fields),
  };
}
