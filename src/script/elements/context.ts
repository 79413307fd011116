import type { Generation, Movie, Theme } from '../movie.js';
import { fail } from '../validation/fail.js';
import type { Fields } from '../validation/fields.js';

/** Returns the reason why a URL is rejected, or undefined. */
export type CheckUrl = (url: string) => string | undefined;

/** Returns the reason why media cannot be generated and the property to blame, or undefined. */
export type CheckGeneration = (generation: Generation) => { field: 'prompt' | 'connection'; reason: string } | undefined;

/** Inputs shared by the parsers of all elements. */
export interface ElementContext {
  canvas: Pick<Movie, 'width' | 'height'>;
  checkUrl: CheckUrl;
  checkGeneration?: CheckGeneration;
  components?: ComponentChecker;
  /** Paths of the groups around the element, from the outermost. */
  groups?: readonly string[];
  /** The movie's; absent: the default theme. */
  theme?: Theme;
  /** The movie's motion blur, for elements without their own: fraction of the frame for which the shutter is open. */
  motionBlur?: number;
}

/** Validates elements against the installed components. */
export interface ComponentChecker {
  /** Returns the component's natural duration, the media in its settings, and whether it is drawn by the browser. Throws AppError with the path of an invalid setting. */
  check(
    component: string,
    settings: Readonly<Record<string, unknown>>,
    path: string,
    theme: Theme,
  ): { seconds: number; media: Array<{ path: string; url: string }>; isPage: boolean };
  /** The component's natural duration, or undefined if it does not exist. `settings` is called only if the duration depends on them. */
  secondsOf?(component: string, settings: () => Readonly<Record<string, unknown>>): number | undefined;
}

/** Reads a URL and applies the URL policy. */
export function parseUrl(fields: Fields, name: string, context: Pick<ElementContext, 'checkUrl'>): string {
  const url = fields.string(name);
  const reason = context.checkUrl(url);
  return reason === undefined ? url : fail(fields.pathOf(name), `${name} is refused: ${reason}.`);
}
