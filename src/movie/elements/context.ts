import type { Movie } from '../movie.js';
import { fail } from '../script/fail.js';
import type { Fields } from '../script/fields.js';

/** Why a URL is refused, or undefined when it is fine. */
export type CheckUrl = (url: string) => string | undefined;

/** What the readers of elements stand on. */
export interface ElementContext {
  canvas: Pick<Movie, 'width' | 'height'>;
  checkUrl: CheckUrl;
}

/** A URL of the script after the policy on URLs has seen it. */
export function parseUrl(fields: Fields, name: string, context: ElementContext): string {
  const url = fields.string(name);
  const reason = context.checkUrl(url);
  return reason === undefined ? url : fail(fields.pathOf(name), `${name} is refused: ${reason}.`);
}
