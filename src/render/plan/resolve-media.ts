import { AppError } from '../../errors/index.js';
import type { Element, LumaWipe, MediaElement, MediaSeconds, Movie, VisualElement } from '../../script/index.js';
import type { MediaFile } from '../../timeline/index.js';
import { allOrAbort } from '../all-or-abort.js';
import type { Asset, Assets, MediaMetadata } from '../assets/index.js';
import { allElements } from '../elements.js';
import { hasPrompt } from './generate-media.js';

/** Fetches and probes the media files of a movie; by element path, with the generated files that are at hand. The first failure aborts the others. */
export async function resolveMedia(
  movie: Movie,
  { assets, generated }: { assets: Assets; generated: ReadonlyMap<string, Asset> },
  signal: AbortSignal,
  report: (part: number) => void,
): Promise<ReadonlyMap<string, MediaFile>> {
  const elements = allElements(movie)
    .filter(isMedia)
    .filter((element) => !hasPrompt(element) || generated.has(element.src));
  let done = 0;
  return fetchAll(elements, signal, async (element, either) => {
    const asset = generated.get(element.src) ?? (await assets.fetchAsset(element.src, element.path, element.type, either));
    checkKind(element, asset.metadata);
    done += 1;
    report(done / elements.length);
    return { path: asset.path, ...asset.metadata };
  });
}

/** Fetches the masks of elements and the images of luma transitions; by the path of the element or transition. */
export async function resolveMasks(movie: Movie, assets: Assets, signal: AbortSignal): Promise<ReadonlyMap<string, MediaFile>> {
  const masked = allElements(movie).filter((element): element is VisualElement & { mask: string } => 'mask' in element && element.mask !== undefined);
  const wipes = movie.scenes.flatMap(({ path, transition }) => (transition?.luma === undefined ? [] : [{ path: `${path}.transition`, luma: transition.luma }]));
  const files = await allOrAbort(signal, (both) => [
    fetchAll(masked, both, (element, either) => fetchMask(assets, element, either)),
    fetchAll(wipes, both, ({ path, luma }, either) => fetchLuma(assets, luma, `${path}.src`, either)),
  ]);
  return new Map(files.flatMap((some) => [...some]));
}

async function fetchMask(assets: Assets, element: VisualElement & { mask: string }, signal: AbortSignal): Promise<MediaFile> {
  const { path, metadata } = await assets.fetchAsset(element.mask, `${element.path}.mask`, 'image', signal);
  if (metadata.isLottie === true) {
    throw new AppError('RENDER_FAILED', {
      path: `${element.path}.mask`,
      message: `${element.path}.mask: a mask cannot be a Lottie animation; use an image or a video.`,
    });
  }
  if (metadata.width > 0) return { path, ...metadata };
  throw new AppError('RENDER_FAILED', {
    path: `${element.path}.mask`,
    message: `${element.path}.mask: a mask needs an image or a video, but this file contains audio only.`,
  });
}

async function fetchLuma(assets: Assets, { src }: LumaWipe, path: string, signal: AbortSignal): Promise<MediaFile> {
  const asset = await assets.fetchAsset(src, path, 'image', signal);
  const { kind, plays, isLottie } = asset.metadata;
  if (kind === 'image' && plays === undefined && isLottie !== true) return { path: asset.path, ...asset.metadata };
  const found = plays === undefined && isLottie !== true ? KIND_NAMES[kind] : 'an animation';
  throw new AppError('RENDER_FAILED', { path, message: `${path}: a luma transition needs a still image, but this file contains ${found}.` });
}

function isMedia(element: Element): element is MediaElement {
  return element.type === 'image' || element.type === 'video' || element.type === 'audio';
}

async function fetchAll<T extends { path: string }>(
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

/** Media durations in seconds, for elements with a natural duration; undefined for stills. */
export function naturalDurations(media: ReadonlyMap<string, MediaFile>): (element: Element) => number | undefined {
  return (element) => {
    const seconds = media.get(element.path)?.durationSeconds;
    return seconds === undefined || seconds === 0 ? undefined : seconds;
  };
}

/** Media durations in seconds, by source URL. */
export function durationsBySource(movie: Movie, media: ReadonlyMap<string, MediaFile>): MediaSeconds {
  const seconds = new Map(allElements(movie).flatMap((element) => (isMedia(element) ? [[element.src, naturalDurations(media)(element)] as const] : [])));
  return (src) => seconds.get(src);
}

const KIND_NAMES: Record<MediaElement['type'], string> = { image: 'an image', video: 'a video', audio: 'audio' };

function checkKind(element: MediaElement, { kind, plays }: MediaMetadata): void {
  // An audio element may play the audio of a video, and a video element an animated image.
  const fits = element.type === kind || (element.type === 'audio' && kind === 'video') || (element.type === 'video' && plays !== undefined);
  if (fits) return;
  throw new AppError('RENDER_FAILED', {
    path: `${element.path}.src`,
    message: `${element.path}.src: an element of type ${element.type} needs a file with ${KIND_NAMES[element.type]}, but this one contains ${KIND_NAMES[kind]}.`,
  });
}
