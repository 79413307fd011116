import { AppError, type Problem, withPath } from '../../errors/index.js';
import type { Generator } from '../../providers/generation/index.js';
import type { CheckGeneration, Element, Generation, MediaElement, Movie } from '../../script/index.js';
import { type Asset, type Assets, Semaphore } from '../assets/index.js';
import { allElements } from '../elements.js';
import type { RenderContext } from '../render-context.js';

/** An image or video element whose file is generated from a prompt. */
type PromptElement = MediaElement & { generation: Generation };

/** Generates the images and videos of one plan's prompts. */
export interface MediaGenerator {
  /** Generates the file of an element; equal prompts share one. `isFresh` skips the cache. */
  generate(element: PromptElement, call: { isFresh: boolean; signal: AbortSignal }): Promise<Asset>;
  /** Warnings so far, each with the path of its element. */
  readonly warnings: readonly Problem[];
}

/** Parallel requests of one movie; providers limit request rates. */
const MAX_PARALLEL = 2;

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

/** Equal prompts are generated once, also when a script is parsed twice because it computes with media lengths. */
export function createMediaGenerator(parts: { generator?: Generator; assets: Assets }, folder: string): MediaGenerator {
  const made = new Map<string, Promise<Asset>>();
  const warnings: Problem[] = [];
  const slots = new Semaphore(MAX_PARALLEL);
  return {
    warnings,
    generate(element, { isFresh, signal }) {
      const making =
        made.get(element.src) ??
        slots.run(async () => {
          const { asset, warnings: own } = await generateOne(element, { ...parts, folder, isFresh, signal });
          for (const message of own) warnings.push({ path: element.path, message });
          return asset;
        });
      made.set(element.src, making);
      return making;
    },
  };
}

interface GenerateContext {
  generator?: Generator;
  assets: Assets;
  folder: string;
  isFresh: boolean;
  signal: AbortSignal;
}

async function generateOne(
  { path, type, generation }: PromptElement,
  { generator, assets, ...call }: GenerateContext,
): Promise<{ asset: Asset; warnings: string[] }> {
  if (generator === undefined) throw new AppError('RENDER_FAILED', { path, message: `${path}: this render makes no media.` });
  const file = await generator.generate(generation, { folder: call.folder, signal: call.signal, skipCache: call.isFresh }).catch((error: unknown) => {
    call.signal.throwIfAborted();
    throw error instanceof AppError && error.code === 'RENDER_FAILED' ? withPath(error, path) : error;
  });
  const asset = await assets.adoptFile(file.path, path, `the ${type} generated from the prompt`);
  await file.store(asset.path);
  return { asset, warnings: file.warnings };
}

/** Paths of elements with `cache: false`, set by themselves, their scene or the movie. */
export function findUncachedPaths(movie: Movie): ReadonlySet<string> {
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
