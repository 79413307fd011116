import { AppError, type Problem, withPath } from '../../errors/index.js';
import type { GeneratedFile, Generator } from '../../providers/generation/index.js';
import type { CheckGeneration, Element, Generation, MediaElement, Movie } from '../../script/index.js';
import type { Asset, Assets } from '../assets/index.js';
import { allElements } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { type Offer, purchaseOf } from './offers.js';

/** An image or video element whose file is generated from a prompt. */
type PromptElement = MediaElement & { generation: Generation };

/** Whether the element's file is generated from a prompt. */
export function hasPrompt(element: Element): element is PromptElement {
  return (element.type === 'image' || element.type === 'video') && element.generation !== undefined;
}

/** Parser rule for prompts: rejects what the generator does not support. */
export function generationCheck({ generator }: Pick<RenderContext, 'generator'>): { checkGeneration: CheckGeneration } {
  return {
    checkGeneration: (generation) => (generator === undefined ? { field: 'prompt', reason: 'this render makes no media' } : generator.check(generation)),
  };
}

/** Generated files of a movie, by `src`, with the warnings about them; kept while the script is parsed again. */
export interface GeneratedMedia {
  files: Map<string, Asset>;
  warnings: Problem[];
}

interface GenerateContext extends Pick<RenderContext, 'generator' | 'pricing'> {
  assets: Assets;
  folder: string;
  signal: AbortSignal;
}

/** Takes generated files from the cache, equal ones once. Returns offers for the others. */
export async function prepareGenerated(movie: Movie, generated: GeneratedMedia, context: GenerateContext): Promise<Offer[]> {
  const uncached = findUncachedPaths(movie);
  const wanted = new Map<string, PromptElement>();
  for (const element of allElements(movie).filter(hasPrompt)) {
    if (!wanted.has(element.src) && !generated.files.has(element.src)) wanted.set(element.src, element);
  }
  const offers: Offer[] = [];
  for (const element of wanted.values()) {
    const offer = await prepareOne(element, generated, { ...context, skipCache: uncached.has(element.path) });
    if (offer !== undefined) offers.push(offer);
  }
  return offers;
}

async function prepareOne(
  { path, type, src, generation }: PromptElement,
  { files, warnings }: GeneratedMedia,
  { generator, pricing, assets, ...call }: GenerateContext & { skipCache: boolean },
): Promise<Offer | undefined> {
  if (generator === undefined) throw new AppError('RENDER_FAILED', { path, message: `${path}: this render makes no media.` });
  const withErrorPath = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      call.signal.throwIfAborted();
      throw error instanceof AppError && error.code === 'RENDER_FAILED' ? withPath(error, path) : error;
    });
  const adopt = async (file: GeneratedFile): Promise<void> => {
    const asset = await assets.adoptFile(file.path, path, `the ${type} generated from the prompt`);
    await file.store(asset.path);
    files.set(src, asset);
    for (const message of file.warnings) warnings.push({ path, message });
  };
  const prepared = await withErrorPath(generator.prepare(generation, call));
  if ('path' in prepared) {
    await adopt(prepared);
    return undefined;
  }
  return {
    purchase: purchaseOf(generation.kind, prepared, pricing?.priceGeneration(generation)),
    buy: async (onBought) => adopt(await withErrorPath(prepared.buy(onBought))),
  };
}

/** Paths of elements with `cache: false`, set by themselves, their scene or the movie. */
function findUncachedPaths(movie: Movie): ReadonlySet<string> {
  const all = movie.cache === false;
  const inScenes = movie.scenes.flatMap((scene) => scene.elements.filter((element) => all || scene.cache === false || element.cache === false));
  return new Set([...inScenes, ...movie.elements.filter((element) => all || element.cache === false)].map(({ path }) => path));
}

/** Throws when the movie has more prompts than the operator allows; called before anything is generated. */
export function checkPromptCount(movie: Movie, generator: Pick<Generator, 'maxPerMovie'> | undefined): void {
  const maxPrompts = generator?.maxPerMovie ?? 0;
  const prompts = new Map(
    allElements(movie)
      .filter(hasPrompt)
      .map((element) => [element.src, element.path]),
  );
  if (prompts.size <= maxPrompts) return;
  const path = [...prompts.values()][maxPrompts] ?? '';
  throw new AppError('RENDER_FAILED', {
    path,
    message: `${path}: the movie has ${prompts.size} different prompts; up to ${maxPrompts} are allowed on this host.`,
  });
}
