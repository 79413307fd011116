import { AppError, type Problem, withPath } from '../../errors/index.js';
import type { Generator } from '../../providers/generation/index.js';
import type { CheckGeneration, Element, Generation, MediaElement, Movie } from '../../script/index.js';
import { type Asset, type Assets, Semaphore } from '../assets/index.js';
import { allElements } from '../elements.js';
import type { RenderContext } from '../render-context.js';

export type PromptElement = MediaElement & { generation: Generation };

/** Has the pictures and films of one plan's prompts made. */
export interface MediaGenerator {
  generate(element: PromptElement, call: { isFresh: boolean; signal: AbortSignal }): Promise<Asset>;
  /** Each with the path of its element. */
  readonly warnings: readonly Problem[];
}

/** At the same time, of one movie: services count requests. */
const MAX_PARALLEL = 2;

export function hasPrompt(element: Element): element is PromptElement {
  return (element.type === 'image' || element.type === 'video') && element.generation !== undefined;
}

/** The rule for prompts that a script is read by. */
export function generationCheck({ generator }: Pick<RenderContext, 'generator'>): { checkGeneration: CheckGeneration } {
  return {
    checkGeneration: (generation) => (generator === undefined ? { field: 'prompt', reason: 'this render makes no media' } : generator.check(generation)),
  };
}

/** Equal prompts are made once, also over the two readings of a script that hangs on its media's lengths. */
export function createMediaGenerator(parts: { generator?: Generator; assets: Assets }, folder: string): MediaGenerator {
  const made = new Map<string, Promise<Asset>>();
  const warnings: Problem[] = [];
  const turnstile = new Semaphore(MAX_PARALLEL);
  return {
    warnings,
    generate(element, { isFresh, signal }) {
      const making =
        made.get(element.src) ??
        turnstile.run(async () => {
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
  const asset = await assets.adoptFile(file.path, path, `the ${type} that was made from the prompt`);
  await file.keep(asset.path);
  return { asset, warnings: file.warnings };
}

/** Elements that their script wants made anew, by path: by their own word, their scene's or the movie's. */
export function findUncachedPaths(movie: Movie): ReadonlySet<string> {
  const all = movie.cache === false;
  const inScenes = movie.scenes.flatMap((scene) => scene.elements.filter((element) => all || scene.cache === false || element.cache === false));
  return new Set([...inScenes, ...movie.elements.filter((element) => all || element.cache === false)].map(({ path }) => path));
}

/** Before anything is made: each costs the operator money. */
export function checkPromptCount(movie: Movie, generator: Pick<Generator, 'maxPerMovie'> | undefined): void {
  const most = generator?.maxPerMovie ?? 0;
  const prompts = new Map(
    allElements(movie)
      .filter(hasPrompt)
      .map((element) => [element.src, element.path]),
  );
  if (prompts.size <= most) return;
  const path = [...prompts.values()][most] ?? '';
  throw new AppError('RENDER_FAILED', { path, message: `${path}: the movie has ${prompts.size} different prompts; up to ${most} are allowed on this host.` });
}
