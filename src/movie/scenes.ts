import { type ElementContext, parseElements } from './elements.js';
import { joinPath } from './fail.js';
import { Fields } from './fields.js';
import type { Scene, TransitionStyle } from './movie.js';
import { schemaPart } from './schema.js';

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
  };
}

/** `type` is an older name of `style`. A transition of no length is none. */
function parseTransition(scene: Fields): Scene['transition'] {
  const fields = scene.object('transition');
  if (fields === undefined) return undefined;
  const style = (fields.optionalString('style') ?? fields.optionalString('type') ?? fields.string('style')) as TransitionStyle;
  const duration = fields.number('duration');
  return duration === 0 ? undefined : { style, duration };
}
