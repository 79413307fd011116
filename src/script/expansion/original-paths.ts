import type { Movie } from '../movie.js';
import { ScriptError } from '../validation/fail.js';
import { type Expansion, withItemContext } from './expand-script.js';

/** Runs `parse` on an expanded script and maps the paths of its errors to the client's script. */
export function withOriginalPaths<T>(expansion: Expansion, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const { path, scene } = originalPath(expansion, error.path ?? '');
    return withItemContext(scene?.item, () => {
      throw error.with({ path });
    });
  }
}

function originalPath(expansion: Expansion, path: string): { path: string; scene?: Expansion['scenes'][number] | undefined } {
  const [, inMovie, ofMovie = ''] = /^elements\.(\d+)(.*)$/s.exec(path) ?? [];
  if (inMovie !== undefined) return { path: `${expansion.elements[Number(inMovie)]?.path ?? `elements.${inMovie}`}${ofMovie}` };
  const [, inScenes, ofScene = ''] = /^scenes\.(\d+)(.*)$/s.exec(path) ?? [];
  const scene = expansion.scenes[Number(inScenes)];
  if (scene === undefined) return { path };
  const [, inScene, ofElement = ''] = /^\.elements\.(\d+)(.*)$/s.exec(ofScene) ?? [];
  const element = scene.elements[Number(inScene)];
  return { path: element === undefined ? `${scene.path}${ofScene}` : `${element.path}${ofElement}`, scene };
}

/** Sets the paths of scenes and elements to their unique labels in the client's script. */
export function restorePaths(expansion: Expansion, movie: Movie): void {
  for (const [index, scene] of movie.scenes.entries()) {
    const origin = expansion.scenes[index];
    if (origin === undefined) continue;
    scene.path = origin.label;
    for (const [at, element] of scene.elements.entries()) element.path = origin.elements[at]?.label ?? element.path;
  }
  for (const [index, element] of movie.elements.entries()) element.path = expansion.elements[index]?.label ?? element.path;
}
