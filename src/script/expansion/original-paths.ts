import type { Element, Movie } from '../movie.js';
import { ScriptError } from '../validation/fail.js';
import { type ExpandedElement, type Expansion, withItemContext } from './expand-script.js';

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
  if (inMovie !== undefined) return { path: pathIn(expansion.elements, Number(inMovie), ofMovie) ?? path };
  const [, inScenes, ofScene = ''] = /^scenes\.(\d+)(.*)$/s.exec(path) ?? [];
  const scene = expansion.scenes[Number(inScenes)];
  if (scene === undefined) return { path };
  const [, inScene, ofElement = ''] = /^\.elements\.(\d+)(.*)$/s.exec(ofScene) ?? [];
  return { path: pathIn(scene.elements, Number(inScene), ofElement) ?? `${scene.path}${ofScene}`, scene };
}

/** The path in the client's script of `rest` in an element of a list; undefined if there is no such element. */
function pathIn(elements: readonly ExpandedElement[], index: number, rest: string): string | undefined {
  const element = elements[index];
  const [, inGroup, ofMember = ''] = /^\.elements\.(\d+)(.*)$/s.exec(rest) ?? [];
  const member = inGroup === undefined ? undefined : pathIn(element?.members ?? [], Number(inGroup), ofMember);
  return member ?? (element && `${element.path}${rest}`);
}

/** Sets the paths of scenes and elements to their unique labels in the client's script. */
export function restorePaths(expansion: Expansion, movie: Movie): void {
  for (const [index, scene] of movie.scenes.entries()) {
    const origin = expansion.scenes[index];
    if (origin === undefined) continue;
    scene.path = origin.label;
    restoreElements(scene.elements, origin.elements);
  }
  restoreElements(movie.elements, expansion.elements);
}

function restoreElements(elements: readonly Element[], origins: readonly ExpandedElement[]): void {
  const inOrder = origins.flatMap(withMembers);
  const labels = new Map<string, string>();
  for (const [index, element] of elements.entries()) {
    const label = inOrder[index]?.label ?? element.path;
    labels.set(element.path, label);
    element.path = label;
    // A group is before its members.
    if (element.group !== undefined) element.group = labels.get(element.group) ?? element.group;
  }
}

const withMembers = (element: ExpandedElement): ExpandedElement[] => [element, ...(element.members ?? []).flatMap(withMembers)];
