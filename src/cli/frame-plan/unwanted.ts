import type { Movie } from '../../script/index.js';

/** Made anew, the script says: nothing of it is kept. */
export function isUnwanted({ cache, scenes, elements }: Movie): boolean {
  return [
    cache,
    ...scenes.flatMap((scene) => [scene.cache, ...scene.elements.map((element) => element.cache)]),
    ...elements.map((element) => element.cache),
  ].includes(false);
}
