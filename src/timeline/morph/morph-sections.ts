import type { Clip, Keyframe, PieceMotion, Section } from '../../contract/index.js';
import type { EasingFunction, Element } from '../../script/index.js';
import { tween } from '../curves.js';
import { freezeClip, type SecondsOfSource, visibleMembers } from './freeze-clip.js';
import { boxAround, morphMotion, type Place, placeOf } from './morph-motion.js';

/** What a morph needs besides the sections. */
export interface MorphContext {
  canvas: { width: number; height: number };
  fps: number;
  secondsOf: SecondsOfSource;
  /** The element of a clip of a section. */
  elementOf: (clip: Clip) => Pick<Element, 'id' | 'type'> | undefined;
}

/** Of one transition. */
interface Morph extends MorphContext {
  frames: number;
  easing: EasingFunction;
}

/** Clips in draw order: those below all elements that both scenes have, and those above each of them. */
interface Layers {
  bottom: Clip[];
  above: Map<string, Clip[]>;
  shared: Map<string, Clip[]>;
}

/**
 * Replaces the transition `morph` of a section by clips of the section: elements with the same id in both sections move from the old place
 * to the new one, and everything else is crossfaded below and above them.
 */
export function morphSection(section: Section, before: Section, easing: EasingFunction, context: MorphContext): Section {
  const { transition, ...rest } = section;
  if (transition === undefined) return section;
  const morph: Morph = { ...context, frames: transition.frames, easing };
  const shown = visibleMembers(before.clips, before.frames - 1);
  const ids = sharedIds(shown, section.clips, context);
  const old = layersOf(shown, ids, context);
  const next = layersOf(section.clips, ids, context);
  const freeze = (clip: Clip): Clip =>
    freezeClip(clip, { at: before.frames - 1 - clip.start, frames: morph.frames, fps: context.fps, secondsOf: context.secondsOf });
  const whole = { x: 0, y: 0, ...context.canvas };
  const background: Clip = { fill: section.background, start: 0, frames: section.frames, box: whole };
  const clips: Clip[] = [{ fill: before.background, start: 0, frames: morph.frames, box: whole }, ...old.bottom.map(freeze)];
  clips.push(...fadeIn([background, ...next.bottom], section.frames, morph));
  for (const [id, own] of next.shared) {
    const isText = own.some((clip) => context.elementOf(clip)?.type === 'text');
    clips.push(...morphedClips((old.shared.get(id) ?? []).map(freeze), own, { ...morph, isText, total: section.frames }));
    clips.push(...fadeOut((old.above.get(id) ?? []).map(freeze), morph));
    clips.push(...fadeIn(next.above.get(id) ?? [], section.frames, morph));
  }
  return { ...rest, background: '#00000000', clips };
}

/** Ids of elements that are shown at the end of the old scene and at the start of the new one. */
function sharedIds(old: readonly Clip[], next: readonly Clip[], { elementOf }: MorphContext): Set<string> {
  const idOf = (clip: Clip): string | undefined => elementOf(clip)?.id;
  const before = new Set(old.map(idOf));
  const starting = new Set(visibleMembers(next, 0).map(idOf));
  return new Set([...starting].filter((id): id is string => id !== undefined && before.has(id)));
}

function layersOf(clips: readonly Clip[], ids: ReadonlySet<string>, { elementOf }: MorphContext): Layers {
  const layers: Layers = { bottom: [], above: new Map(), shared: new Map() };
  let run = layers.bottom;
  for (const clip of clips) {
    const id = elementOf(clip)?.id;
    if (id === undefined || !ids.has(id)) {
      run.push(clip);
      continue;
    }
    layers.shared.set(id, [...(layers.shared.get(id) ?? []), clip]);
    run = layers.above.get(id) ?? [];
    layers.above.set(id, run);
  }
  return layers;
}

/** The clips of an element on its way. An equal image is drawn once; otherwise the new one appears over the old one. */
function morphedClips(old: readonly Clip[], next: readonly Clip[], morph: Morph & { isText: boolean; total: number }): Clip[] {
  const { frames, easing, total, isText } = morph;
  const [from, to] = [placeOf(old, 0), placeOf(next, 0)];
  // Letters keep their proportions where lines break differently.
  const factor = isText ? Math.min(to.width / from.width, to.height / from.height) : undefined;
  const group = (clips: readonly Clip[], own: Place, piece: PieceMotion, length: number): Clip => {
    return { start: 0, frames: length, box: boxAround(own), clips: [...clips], piece };
  };
  const start = factor === undefined ? from : { ...from, width: to.width / factor, height: to.height / factor };
  const coming = group(next, to, morphMotion(to, start, to, frames, easing), total);
  if (contentOf(old) === contentOf(next)) return [coming];
  const end = factor === undefined ? to : { ...to, width: from.width * factor, height: from.height * factor };
  const half = frames / 2;
  return [
    { ...group(old, from, morphMotion(from, from, end, frames, easing), frames), opacity: line(half, 1, frames, 0) },
    { ...coming, opacity: line(0, 0, half, 1) },
  ];
}

const line = (start: number, from: number, end: number, to: number): Keyframe[] => tween({ frame: start, value: from }, { frame: end, value: to }, 'linear');

/** What the clips of an element show, without its place and effects. */
function contentOf(clips: readonly Clip[]): string {
  const content = ({ source, fill, crop, flipX, flipY, grade, mask, chromaKey, clips: members }: Clip): unknown => {
    return { source, fill, crop, flipX, flipY, grade, mask: mask?.source, chromaKey, members: members?.map(content) };
  };
  return JSON.stringify(clips.map(content));
}

function fadeIn(clips: readonly Clip[], frames: number, { canvas, frames: length }: Morph): Clip[] {
  return clips.length === 0 ? [] : [{ start: 0, frames, box: { x: 0, y: 0, ...canvas }, clips: [...clips], opacity: line(0, 0, length, 1) }];
}

function fadeOut(clips: readonly Clip[], { canvas, frames }: Morph): Clip[] {
  return clips.length === 0 ? [] : [{ start: 0, frames, box: { x: 0, y: 0, ...canvas }, clips: [...clips], opacity: line(0, 1, frames, 0) }];
}
