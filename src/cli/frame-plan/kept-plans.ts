import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plan } from '../../render/index.js';
import type { Element } from '../../script/index.js';
import type { FileCache } from '../../storage/cache/index.js';
import type { Timeline } from '../../timeline/index.js';
import { fileState, settledState } from './file-state.js';
import { planKey } from './plan-key.js';
import { isUnwanted } from './unwanted.js';

/** What a frame is drawn by. */
export type FramePlan = Pick<Plan, 'timeline' | 'durationSeconds' | 'warnings'>;

export interface KeptPlans {
  /** The plan of an earlier run, with its drawings in the work folder; undefined where none is left that still holds. Never rejects. */
  take(): Promise<FramePlan | undefined>;
  /** Keeps a plan for later runs, if they can tell whether it still holds. Never rejects. `dependsOnSystem`: on the fonts of this machine. */
  keep(plan: FramePlan & Pick<Plan, 'movie'>, dependsOnSystem: boolean): Promise<void>;
}

export interface KeptPlanSettings {
  /** Keeps drawn texts too, each under the name of its file. */
  drawings: FileCache;
  /** `buildKey()` */
  build: Promise<string>;
  /** The movie's own folder, and its script as it was read. */
  folder: string;
  text: string;
  workDir: string;
}

/** A file that the script names: where it was found, and how. */
interface NamedFile {
  named: string;
  path: string;
  state: string;
}

interface KeptPlan extends FramePlan {
  files: NamedFile[];
}

/** Plans of frames, kept where drawn texts are: a file of the movie's folder that is not what it was makes a plan void, and so does anything that its key stands for. */
export function openKeptPlans(settings: KeptPlanSettings): KeptPlans {
  return new Plans(settings);
}

class Plans implements KeptPlans {
  readonly #settings: KeptPlanSettings;
  readonly #key: Promise<string>;
  readonly #openedAt = Date.now();

  constructor(settings: KeptPlanSettings) {
    this.#settings = settings;
    this.#key = settings.build.then((build) => planKey({ ...settings, build }));
    // Told where it is asked for.
    this.#key.catch(() => {});
  }

  async take(): Promise<FramePlan | undefined> {
    const path = this.#listPath('taken');
    try {
      if ((await this.#settings.drawings.get(await this.#key, path)) === undefined) return undefined;
      const { files, ...plan } = JSON.parse(await readFile(path, 'utf8')) as KeptPlan;
      await mkdir(this.#sprites, { recursive: true });
      const sources = [...new Set(plan.timeline.sources.map((source) => source.path))];
      const named = new Set(files.map((file) => file.path));
      if (!sources.every((source) => this.#placed(source) !== source || named.has(source))) return undefined;
      const found = await Promise.all([...files.map((file) => this.#isAsItWas(file)), ...sources.map((source) => this.#takeSprite(source))]);
      return found.every(Boolean) ? { ...plan, timeline: this.#withSources(plan.timeline, (source) => this.#placed(source)) } : undefined;
    } catch {
      // Not what this build has written.
      return undefined;
    }
  }

  async keep({ movie, timeline, durationSeconds, warnings }: Parameters<KeptPlans['keep']>[0], dependsOnSystem: boolean): Promise<void> {
    const elements = [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
    const path = this.#listPath('kept');
    try {
      // There already: the script was read with it.
      const { isFontAddress } = await import('../../script/index.js');
      const hasOwnFonts = (element: Element): boolean => element.type === 'text' && element.typography.fontFamilies.some(isFontAddress);
      if (dependsOnSystem || isUnwanted(movie) || !elements.every(isPlain) || elements.some(hasOwnFonts)) return;
      const files = await Promise.all([...new Set(elements.flatMap(sourcesOf))].map((named) => this.#find(named)));
      const paths = new Set(files.map((file) => file.path));
      const movable = this.#withSources(timeline, (source) => (this.#isSprite(source) ? basename(source) : source));
      if (!timeline.sources.every((source) => paths.has(source.path) || this.#isSprite(source.path))) return;
      const plan: KeptPlan = { timeline: movable, durationSeconds, warnings, files };
      await writeFile(path, JSON.stringify(plan));
      await this.#settings.drawings.put(await this.#key, path);
    } catch {
      // A file that is gone by now, or that was written a moment ago.
    }
  }

  get #sprites(): string {
    return join(this.#settings.workDir, 'sprites');
  }

  #listPath(name: string): string {
    return join(this.#settings.workDir, `${name}-plan.json`);
  }

  #isSprite(path: string): boolean {
    return dirname(path) === this.#sprites;
  }

  /** Kept plans name drawings by their files' names alone. */
  #placed(source: string): string {
    return source === basename(source) ? join(this.#sprites, source) : source;
  }

  async #takeSprite(source: string): Promise<boolean> {
    const path = this.#placed(source);
    if (path === source) return true;
    return (await this.#settings.drawings.get(basename(path, '.fwsp'), path)) !== undefined;
  }

  #withSources(timeline: Timeline, pathOf: (path: string) => string): Timeline {
    return { ...timeline, sources: timeline.sources.map((source) => ({ ...source, path: pathOf(source.path) })) };
  }

  async #find(named: string): Promise<NamedFile> {
    const path = await realpath(resolve(this.#settings.folder, named));
    const state = await settledState(path, this.#openedAt);
    if (state === undefined) throw new Error(`${named} is not settled`);
    return { named, path, state };
  }

  async #isAsItWas({ named, path, state }: NamedFile): Promise<boolean> {
    return (await realpath(resolve(this.#settings.folder, named))) === path && (await fileState(path)) === state;
  }
}

/** Made of its own words and of files beside the script, and of nothing else that could change. */
function isPlain(element: Element): boolean {
  const isKnown = element.type === 'text' || element.type === 'image' || element.type === 'video' || element.type === 'audio';
  return isKnown && !('generation' in element && element.generation !== undefined) && sourcesOf(element).every(isLocal);
}

function sourcesOf(element: Element): string[] {
  return [...('src' in element ? [element.src] : []), ...('mask' in element && element.mask !== undefined ? [element.mask] : [])];
}

function isLocal(source: string): boolean {
  return !URL.canParse(source);
}
