import type { ComponentElement } from '../movie.js';
import type { Fields } from '../script/fields.js';
import type { ElementContext } from './context.js';
import { parseTimed } from './timed.js';
import { parseVisual } from './visual.js';

export function parseComponent(fields: Fields, path: string, context: ElementContext): ComponentElement {
  return {
    type: 'component',
    ...parseTimed(fields, path, context),
    ...parseVisual(fields, context),
    component: fields.string('component'),
    settings: (fields.find('settings')?.value ?? {}) as Record<string, unknown>,
  };
}
