import type { Element, Movie, ResolvedDurations } from '../script/index.js';

/** Elements of all scenes, then the overlays of the movie. */
export function allElements(movie: Movie): Element[] {
  return [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
}

/** How many frames each element is visible or audible, by element path. */
export function frameCountsByPath(movie: Movie, durations: ResolvedDurations): Map<string, number> {
  const lists = [
    ...movie.scenes.map((scene, i) => ({ elements: scene.elements, spans: durations.scenes[i]?.elements })),
    { elements: movie.elements, spans: durations.elements },
  ];
  return new Map(lists.flatMap(({ elements, spans }) => elements.map((element, k) => [element.path, spans?.[k]?.frames ?? 0] as const)));
}
