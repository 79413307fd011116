import type { Assets } from '../assets/index.js';
import { AppError } from '../errors/index.js';
import type { AudioElement, Element, ImageElement, MediaSeconds, Movie, VideoElement } from '../movie/index.js';
import type { MediaFile } from '../timeline/index.js';

type MediaElement = ImageElement | VideoElement | AudioElement;

/** Fetches and probes every file that the movie names; by element path. The first failure stops the others. */
export async function resolveMedia(movie: Movie, assets: Assets, signal: AbortSignal, report: (part: number) => void): Promise<ReadonlyMap<string, MediaFile>> {
  const elements = allElements(movie).filter((element): element is MediaElement => element.type !== 'text');
  const media = new Map<string, MediaFile>();
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const fetches = elements.map(async (element) => {
    const asset = await assets.fetchAsset(element.src, element.path, element.type, either);
    checkKind(element, asset.facts.kind);
    media.set(element.path, { path: asset.path, ...asset.facts });
    report(media.size / elements.length);
  });
  try {
    await Promise.all(fetches);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(fetches);
    throw error;
  }
  return media;
}

/** The media's own lengths, for elements that last as long as they do. */
export function naturalSeconds(media: ReadonlyMap<string, MediaFile>): (element: Element) => number | undefined {
  return (element) => {
    const seconds = media.get(element.path)?.durationSeconds;
    return seconds === undefined || seconds === 0 ? undefined : seconds;
  };
}

/** The media's own lengths by their URLs. */
export function secondsBySource(movie: Movie, media: ReadonlyMap<string, MediaFile>): MediaSeconds {
  const seconds = new Map(allElements(movie).flatMap((element) => ('src' in element ? [[element.src, naturalSeconds(media)(element)] as const] : [])));
  return (src) => seconds.get(src);
}

export function allElements(movie: Movie): Element[] {
  return [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
}

const shown: Record<MediaElement['type'], string> = { image: 'a picture', video: 'a video', audio: 'sound' };

function checkKind(element: MediaElement, kind: 'image' | 'video' | 'audio'): void {
  // A film's sound may be played by an audio element.
  const fits = element.type === kind || (element.type === 'audio' && kind === 'video');
  if (fits) return;
  throw new AppError('RENDER_FAILED', {
    message: `${element.path}.src: an element of type ${element.type} needs a file with ${shown[element.type]}, but this one holds ${shown[kind]}.`,
  });
}
