import type { Movie } from '../../script/index.js';

/** Whether the script disables caching (`cache: false`) for the movie, a scene or an element. */
export function optsOutOfCache({ cache, scenes, elements }: Movie): boolean {
  return [
    cache,
    ...scenes.flatMap((scene) => [scene.cache, ...scene.elements.map((element) => element.cache)]),
    ...elements.map((element) => element.cache),
  ].includes(false);
}
