import { AppError } from '../../errors/index.js';
import type { Element, MediaElement, MediaSeconds, Movie, VisualElement } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import { allOrAbort } from '../all-or-abort.js';
import type { Assets, MediaMetadata } from '../assets/index.js';
import { allElements } from '../elements.js';
import { findUncachedPaths, hasPrompt, type MediaGenerator } from './generate-media.js';

export interface MediaSources {
  assets: Assets;
  generator: MediaGenerator;
}

/** Fetches, or has made, and probes every file that the movie names; by element path. The first failure stops the others. */
export async function resolveMedia(
  movie: Movie,
  { assets, generator: maker }: MediaSources,
  signal: AbortSignal,
  report: (part: number) => void,
): Promise<ReadonlyMap<string, MediaFile>> {
  const elements = allElements(movie).filter(isMedia);
  const fresh = findUncachedPaths(movie);
  let done = 0;
  return fetchAll(elements, signal, async (element, either) => {
    const asset = hasPrompt(element)
      ? await maker.generate(element, { isFresh: fresh.has(element.path), signal: either })
      : await assets.fetchAsset(element.src, element.path, element.type, either);
    checkKind(element, asset.metadata);
    done += 1;
    report(done / elements.length);
    return { path: asset.path, ...asset.metadata };
  });
}

/** The masks of elements that have one, by the path of the element. */
export async function resolveMasks(movie: Movie, assets: Assets, signal: AbortSignal): Promise<ReadonlyMap<string, MediaFile>> {
  const masked = allElements(movie).filter((element): element is VisualElement & { mask: string } => 'mask' in element && element.mask !== undefined);
  return fetchAll(masked, signal, async (element, either) => {
    const { path, metadata: facts } = await assets.fetchAsset(element.mask, `${element.path}.mask`, 'image', either);
    if (facts.width > 0) return { path, ...facts };
    throw new AppError('RENDER_FAILED', {
      path: `${element.path}.mask`,
      message: `${element.path}.mask: a mask needs a picture or video, but this file holds sound.`,
    });
  });
}

function isMedia(element: Element): element is MediaElement {
  return element.type === 'image' || element.type === 'video' || element.type === 'audio';
}

async function fetchAll<T extends Element>(
  elements: readonly T[],
  signal: AbortSignal,
  fetchOne: (element: T, signal: AbortSignal) => Promise<MediaFile>,
): Promise<ReadonlyMap<string, MediaFile>> {
  const files = new Map<string, MediaFile>();
  await allOrAbort(signal, (either) =>
    elements.map(async (element) => {
      files.set(element.path, await fetchOne(element, either));
    }),
  );
  return files;
}

/** The media's own lengths, for elements that last as long as they do. */
export function naturalDurations(media: ReadonlyMap<string, MediaFile>): (element: Element) => number | undefined {
  return (element) => {
    const seconds = media.get(element.path)?.durationSeconds;
    return seconds === undefined || seconds === 0 ? undefined : seconds;
  };
}

/** The media's own lengths by their URLs. */
export function durationsBySource(movie: Movie, media: ReadonlyMap<string, MediaFile>): MediaSeconds {
  const seconds = new Map(allElements(movie).flatMap((element) => (isMedia(element) ? [[element.src, naturalDurations(media)(element)] as const] : [])));
  return (src) => seconds.get(src);
}

const KIND_NAMES: Record<MediaElement['type'], string> = { image: 'a picture', video: 'a video', audio: 'sound' };

function checkKind(element: MediaElement, { kind, plays }: MediaMetadata): void {
  // A film's sound may be played by an audio element, and a picture that moves by a video element.
  const fits = element.type === kind || (element.type === 'audio' && kind === 'video') || (element.type === 'video' && plays !== undefined);
  if (fits) return;
  throw new AppError('RENDER_FAILED', {
    path: `${element.path}.src`,
    message: `${element.path}.src: an element of type ${element.type} needs a file with ${KIND_NAMES[element.type]}, but this one holds ${KIND_NAMES[kind]}.`,
  });
}
