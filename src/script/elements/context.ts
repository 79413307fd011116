import type { Generation, Movie } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';

/** Why a URL is refused, or undefined when it is fine. */
export type CheckUrl = (url: string) => string | undefined;

/** Why something can not be made here, and the property that asks for it; undefined when it can. */
export type CheckGeneration = (generation: Generation) => { field: 'prompt' | 'connection'; reason: string } | undefined;

/** What the readers of elements stand on. */
export interface ElementContext {
  canvas: Pick<Movie, 'width' | 'height'>;
  checkUrl: CheckUrl;
  checkGeneration?: CheckGeneration;
  components?: ComponentChecker;
}

/** Knows the installed components. */
export interface ComponentChecker {
  /** Throws an AppError with the path of what is wrong; else tells how long the component is by itself and which media its settings name. */
  check(component: string, settings: Readonly<Record<string, unknown>>, path: string): { seconds: number; media: Array<{ path: string; url: string }> };
  /** How long a component is by itself; undefined when there is none of that name. The settings are asked for only where they decide. */
  secondsOf?(component: string, settings: () => Readonly<Record<string, unknown>>): number | undefined;
}

/** A URL of the script after the policy on URLs has seen it. */
export function parseUrl(fields: Fields, name: string, context: ElementContext): string {
  const url = fields.string(name);
  const reason = context.checkUrl(url);
  return reason === undefined ? url : fail(fields.pathOf(name), `${name} is refused: ${reason}.`);
}
