import { readFile } from 'node:fs/promises';
import type { Cue } from '../../graphics/index.js';
import { captionLimits, decodeText, parseCaptions, spokenCue } from '../../graphics/index.js';
import type { Element, Movie, ResolvedDurations, SubtitlesElement } from '../../script/index.js';
import type { RenderContext } from '../render-context.js';
import type { DrawRequest } from './drawn-elements.js';

/** Captions of one element, in seconds from its start. */
export interface Captions {
  cues: Cue[];
  warnings: string[];
}

/** An element and its position in the movie. */
export interface PlacedElement {
  element: Element;
  startFrame: number;
  frames: number;
}

/** Start and length of all elements in movie frames, by scene and for overlays. */
export function placeElements(movie: Movie, durations: ResolvedDurations): { scenes: PlacedElement[][]; overlays: PlacedElement[] } {
  const placed = (elements: readonly Element[], spans: ReadonlyArray<{ startFrame: number; frames: number }> | undefined, from: number): PlacedElement[] =>
    elements.map((element, k) => ({ element, startFrame: from + (spans?.[k]?.startFrame ?? 0), frames: spans?.[k]?.frames ?? 0 }));
  return {
    scenes: movie.scenes.map(({ elements }, i) => placed(elements, durations.scenes[i]?.elements, durations.scenes[i]?.startFrame ?? 0)),
    overlays: placed(movie.elements, durations.elements, 0),
  };
}

/** Reads and parses the captions that an element contains or names by URL. */
export async function readCaptions(
  element: SubtitlesElement & { captions: object },
  parts: Pick<RenderContext, 'assets'>,
  signal: AbortSignal,
): Promise<Captions> {
  const { captions, path } = element;
  const text = 'text' in captions ? captions.text : await fetchText(captions.url, path, parts, signal);
  const cues = parseCaptions(text);
  return { cues, warnings: cues.length > 0 ? [] : ['the captions contain no cues; SubRip, WebVTT or ASS with timestamps is expected'] };
}

async function fetchText(url: string, path: string, { assets }: Pick<RenderContext, 'assets'>, signal: AbortSignal): Promise<string> {
  const file = await assets.fetchFile(url, `${path}.captions`, 'captions file', captionLimits.bytes, signal);
  return decodeText(await readFile(file.path));
}

/** Cues with the words of the voices, in seconds from frame `from`. */
export function cuesFromVoices(voices: readonly PlacedElement[], from: number, { movie, words }: Pick<DrawRequest, 'movie' | 'words'>): Cue[] {
  const seconds = (frames: number): number => (frames * movie.fps.den) / movie.fps.num;
  return voices.flatMap(({ element, startFrame, frames }) => {
    const length = seconds(frames);
    // Words after the end of a truncated voice are not shown.
    const heard = (words.get(element.path) ?? []).filter(({ start }) => start < length);
    const cue = spokenCue(heard, seconds(startFrame - from));
    if (cue === undefined) return [];
    const language = element.type === 'voice' ? languageTag(element.language) : undefined;
    return [{ ...cue, ...(language !== undefined && { language }) }];
  });
}

/** The canonical form of a language tag; undefined for `auto` and what is no tag. */
export function languageTag(language: string | undefined): string | undefined {
  if (language === undefined || language === 'auto') return undefined;
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}
