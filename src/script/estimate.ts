import { DEFAULT_CLIP_SECONDS, type NaturalDuration, resolveDurations } from './durations.js';
import type { Element, Generation, Movie, Output, VoiceElement } from './movie.js';
import { outputFormats, outputRange, primaryOutput } from './outputs/index.js';
import { isSpoken, speechRequestKey } from './speech-length.js';
import { fail } from './validation/fail.js';

const FULL_HD_PIXELS = 1920 * 1080;

/** Price of a result of a provider service. */
export interface Price {
  /** Characters of speech, images, seconds of video, or seconds of transcribed audio. */
  quantity: number;
  /** Millionths of a credit; 0 if it is free. */
  microcredits: number;
}

/** Prices of the provider services of a host. */
export interface ProviderPricing {
  /** Maximum credits that one movie may spend on them; absent: unlimited. */
  maxCreditsPerMovie?: number;
  priceSpeech(voice: Pick<VoiceElement, 'model' | 'text'>): Price;
  priceGeneration(generation: Pick<Generation, 'kind' | 'modelSettings'>): Price;
  priceTranscription(seconds: number): Price;
}

/** Duration and cost of a movie. */
export interface Estimate {
  durationSeconds: number;
  credits: number;
  /** The part of the credits for provider services. */
  providerCredits: number;
}

/**
 * Credits of a render: 1 per started second of output up to 1920×1080 pixels, 4 above. The excess from rounding to whole frames is
 * free: 10 s at 29.97 fps are 300 frames, which last 10.01 s.
 */
export function creditsForFrames(frames: number, { width, height, fps }: Pick<Movie, 'width' | 'height' | 'fps'>): number {
  const perSecond = width * height > FULL_HD_PIXELS ? 4 : 1;
  return Math.max(1, Math.ceil(((frames - 0.5) * fps.den) / fps.num - 1e-6)) * perSecond;
}

/**
 * Credits of a movie of this length: the price of its frames in the larger of its own and the primary output's size, which includes stills,
 * sound and captions. Each further video or animation costs half the price of its own seconds at its own size, rounded up.
 */
export function creditsForMovie(frames: number, movie: Pick<Movie, 'width' | 'height' | 'fps' | 'outputs'>): number {
  const { fps, outputs } = movie;
  const own = creditsForFrames(frames, movie);
  if (outputs.length === 0) return own;
  const primary = primaryOutput(outputs);
  const base = Math.max(own, creditsForFrames(frames, { ...primary, fps }));
  return outputs.reduce((sum, output) => {
    const { start, end } = outputRange(output, (frames * fps.den) / fps.num);
    const length = Math.max(1, ((end - start) * fps.num) / fps.den);
    const own = pricedSizes(output).map((size) => Math.ceil(creditsForFrames(length, { ...size, fps }) / 2));
    // The first size of the primary output is what `base` pays.
    return own.slice(output === primary ? 1 : 0).reduce((total, credits) => total + credits, sum);
  }, base);
}

/** The sizes in which frames of an output are encoded one after the other; empty for outputs that the movie's price includes. */
function pricedSizes(output: Output): ReadonlyArray<Pick<Output, 'width' | 'height'>> {
  if (output.ladder !== undefined) return output.ladder;
  return output.sequence || ['video', 'animation'].includes(outputFormats[output.format].kind) ? [output] : [];
}

/** Whole credits for results of provider services: the sum of their prices, rounded up. */
export function creditsForPrices(prices: ReadonlyArray<Pick<Price, 'microcredits'>>): number {
  return Math.ceil(prices.reduce((sum, { microcredits }) => sum + microcredits, 0) / 1e6);
}

/**
 * Duration and cost estimated from the script alone, by the rules of the render. Media of unknown duration counts
 * DEFAULT_CLIP_SECONDS per loop, a voice its estimated speech length. Without `pricing` provider services are free. Throws
 * SCHEMA_VALIDATION_ERROR with the path of the property at which they exceed the maximum of the movie.
 */
export function estimateMovie(movie: Movie, pricing?: ProviderPricing): Estimate {
  const { totalFrames } = resolveDurations(movie, () => undefined);
  const providerCredits = pricing === undefined ? 0 : estimateProviders(movie, pricing);
  return { durationSeconds: (totalFrames * movie.fps.den) / movie.fps.num, credits: creditsForMovie(totalFrames, movie) + providerCredits, providerCredits };
}

/** Number of files and voices whose lengths `naturalSeconds` does not know; 0 if they cannot change the movie's duration. */
export function countUnknownLengths(movie: Movie, naturalSeconds: NaturalDuration = () => undefined): number {
  const asked = new Set<Element>();
  const framesWith = (seconds: number | undefined): number =>
    resolveDurations(movie, (element) => {
      const known = naturalSeconds(element);
      if (known === undefined) asked.add(element);
      return known ?? seconds;
    }).totalFrames;
  const estimated = framesWith(undefined);
  return framesWith(0) === estimated && framesWith(24 * 3600) === estimated ? 0 : asked.size;
}

function estimateProviders(movie: Movie, pricing: ProviderPricing): number {
  const { maxCreditsPerMovie = Number.POSITIVE_INFINITY } = pricing;
  const items = new Map<string, Item>();
  for (const item of listItems(movie, pricing)) if (!items.has(item.key)) items.set(item.key, item);
  const total = creditsForPrices([...items.values()]);
  if (total <= maxCreditsPerMovie) return total;
  let microcredits = 0;
  const first = [...items.values()].find((item) => {
    microcredits += item.microcredits;
    return Math.ceil(microcredits / 1e6) > maxCreditsPerMovie;
  });
  return fail(
    first?.path ?? '',
    `Provider services for this movie cost ${total} credits; up to ${maxCreditsPerMovie} are allowed per movie on this host, and this property exceeds them.`,
  );
}

/** A result of a provider service; equal results have equal keys and are paid once. */
interface Item extends Price {
  key: string;
  /** Path of the property that requests it. */
  path: string;
}

function listItems(movie: Movie, pricing: ProviderPricing): Item[] {
  const all = [...movie.scenes.flatMap(({ elements }) => elements), ...movie.elements];
  const made = all.flatMap((element): Item[] => {
    if (isSpoken(element)) return [{ key: speechRequestKey(element), path: `${element.path}.text`, ...pricing.priceSpeech(element) }];
    const generation = generationOf(element);
    return generation === undefined ? [] : [{ key: generation.key, path: `${element.path}.prompt`, ...pricing.priceGeneration(generation) }];
  });
  const transcribed = movie.scenes.flatMap((scene) => transcriptsFor(scene.elements, scene.elements, pricing));
  return [...made, ...transcribed, ...transcriptsFor(movie.elements, all, pricing)];
}

function generationOf(element: Element): (Generation & { key: string }) | undefined {
  if ((element.type !== 'image' && element.type !== 'video') || element.generation === undefined) return undefined;
  return { ...element.generation, key: element.src };
}

/** Files that are transcribed for subtitles without captions, unless there are voices whose words are known. */
function transcriptsFor(own: readonly Element[], audible: readonly Element[], pricing: ProviderPricing): Item[] {
  if (audible.some(isSpoken)) return [];
  return own.flatMap((subtitles) =>
    subtitles.type !== 'subtitles' || subtitles.captions !== undefined
      ? []
      : audible.flatMap((element): Item[] => {
          if ((element.type !== 'video' && element.type !== 'audio') || element.muted || element.volume === 0) return [];
          const key = JSON.stringify(['transcript', element.src, subtitles.language, subtitles.look.keywords]);
          return [{ key, path: subtitles.path, ...pricing.priceTranscription(DEFAULT_CLIP_SECONDS) }];
        }),
  );
}
