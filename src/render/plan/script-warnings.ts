import type { Problem } from '../../errors/index.js';
import type { Movie } from '../../script/index.js';
import { allElements } from '../elements.js';

/** Warns of properties in the script that have no effect or are not drawn. */
export function findScriptWarnings(movie: Movie): Problem[] {
  return allElements(movie).flatMap((element) => {
    const warnings = 'warnings' in element ? (element.warnings ?? []) : [];
    return [...new Set(warnings)].map((message) => ({ path: element.path, message }));
  });
}
