import type { Element, Scene } from '../movie.js';

/** Elements that a morph moves from one scene to the next do not leave the one and enter the other as well. */
export function joinMorphs(scenes: readonly Scene[]): Scene[] {
  return scenes.map((scene, index) => {
    const from = scene.transition?.style === 'morph' ? sharedIds(scene, scenes[index - 1]) : new Set();
    const next = scenes[index + 1];
    const to = next?.transition?.style === 'morph' ? sharedIds(next, scene) : new Set();
    if (from.size === 0 && to.size === 0) return scene;
    return { ...scene, elements: scene.elements.map((element) => joined(element, from.has(element.id), to.has(element.id))) };
  });
}

/** Ids of elements outside groups that both scenes have. */
function sharedIds(scene: Scene, before: Scene | undefined): Set<string | undefined> {
  const ids = new Set(before?.elements.filter(({ group }) => group === undefined).map(({ id }) => id));
  return new Set(scene.elements.filter(({ id, group }) => group === undefined && id !== undefined && ids.has(id)).map(({ id }) => id));
}

function joined<T extends Element>(element: T, comes: boolean, goes: boolean): T {
  if (element.group !== undefined || (!comes && !goes)) return element;
  const still = { ...element, ...(comes && { fadeIn: 0 }), ...(goes && { fadeOut: 0 }) };
  if (!('animate' in still) || still.animate === undefined) return still;
  const { in: entrance, out: exit, ...rest } = still.animate;
  return { ...still, animate: { ...rest, ...(!comes && entrance && { in: entrance }), ...(!goes && exit && { out: exit }) } };
}
