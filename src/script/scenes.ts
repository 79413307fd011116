import { type ElementContext, parseElements } from './elements/index.js';
import type { Color, Scene } from './movie.js';
import { parseCache } from './validation/cache.js';
import { joinPath } from './validation/fail.js';
import { Fields } from './validation/fields.js';
import { schemaPart } from './validation/schema.js';
import { parseTransition } from './values/transitions.js';

/** Parses one scene of a schema-valid script. */
export function parseScene(object: Readonly<Record<string, unknown>>, path: string, context: ElementContext & { background: Color }): Scene {
  const fields = new Fields({ object, path, schema: schemaPart('scene') });
  const duration = fields.find('duration')?.value;
  const transition = parseTransition(fields, context);
  return {
    path,
    duration: typeof duration === 'number' && duration > 0 ? duration : 'auto',
    background: fields.find('background') === undefined ? context.background : fields.color('background'),
    elements: parseElements(fields.find('elements')?.value, joinPath(path, 'elements'), context),
    ...(transition === undefined ? {} : { transition }),
    ...parseCache(fields),
  };
}
