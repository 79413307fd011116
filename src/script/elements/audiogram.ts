import type { AudiogramElement } from '../movie.js';
import type { Fields } from '../validation/fields.js';
import type { ElementContext } from './context.js';
import { parseTimed } from './timed.js';
import { parseVisual } from './visual.js';

/** Parses an audiogram element. */
export function parseAudiogram(fields: Fields, path: string, context: ElementContext): AudiogramElement {
  return {
    type: 'audiogram',
    ...parseTimed(fields, path, context),
    ...parseVisual('audiogram', fields, context),
    color: fields.color('color'),
    amplitude: fields.number('amplitude'),
    style: fields.string('style') as AudiogramElement['style'],
  };
}
