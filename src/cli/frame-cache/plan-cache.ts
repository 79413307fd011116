import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plan } from '../../render/index.js';
import type { Element } from '../../script/index.js';
import type { FileCache } from '../../storage/cache/index.js';
import type { Timeline } from '../../timeline/index.js';
import { planKey } from './cache-key.js';
import { optsOutOfCache } from './cache-opt-out.js';
import { fileState, settledState } from './file-state.js';

/** The parts of a plan that composing a frame needs. */
export type FramePlan = Pick<Plan, 'timeline' | 'durationSeconds' | 'warnings'>;

export interface PlanCacheSettings {
  /** Stores plans and sprites, each sprite under its file name. */
  drawings: FileCache;
  /** Result of `buildKey()`. */
  build: Promise<string>;
  /** Folder of the movie file. */
  folder: string;
  /** The script as it was read from the file. */
  text: string;
  workDir: string;
}

/** A file that the script names: its resolved path and its state when the plan was made. */
interface NamedFile {
  named: string;
  path: string;
  state: string;
}

interface CachedPlan extends FramePlan {
  files: NamedFile[];
}

/** Plans of earlier runs. A plan is valid while its cache key and the states of the files that the script names are unchanged. */
export class PlanCache {
  readonly #settings: PlanCacheSettings;
  readonly #key: Promise<string>;
  readonly #openedAt = Date.now();

  constructor(settings: PlanCacheSettings) {
    this.#settings = settings;
    this.#key = settings.build.then((build) => planKey({ ...settings, build }));
    // A rejection is handled where the key is awaited.
    this.#key.catch(() => {});
  }

  /** Returns the valid plan of an earlier run and copies its sprites into the work folder; undefined if there is none. Never rejects. */
  async load(): Promise<FramePlan | undefined> {
    const path = this.#planPath('loaded');
    try {
      if ((await this.#settings.drawings.get(await this.#key, path)) === undefined) return undefined;
      const { files, ...plan } = JSON.parse(await readFile(path, 'utf8')) as CachedPlan;
      await mkdir(this.#sprites, { recursive: true });
      const sources = [...new Set(plan.timeline.sources.map((source) => source.path))];
      const named = new Set(files.map((file) => file.path));
      if (!sources.every((source) => this.#pathOf(source) !== source || named.has(source))) return undefined;
      const found = await Promise.all([...files.map((file) => this.#isUnchanged(file)), ...sources.map((source) => this.#loadSprite(source))]);
      return found.every(Boolean) ? { ...plan, timeline: this.#withSources(plan.timeline, (source) => this.#pathOf(source)) } : undefined;
    } catch {
      // The entry is damaged or has another format.
      return undefined;
    }
  }

  /** Stores a plan if later runs can check that it is still valid. `dependsOnSystem`: it uses fonts of the system. Never rejects. */
  async store({ movie, timeline, durationSeconds, warnings }: FramePlan & Pick<Plan, 'movie'>, dependsOnSystem: boolean): Promise<void> {
    const elements = [...movie.scenes.flatMap((scene) => scene.elements), ...movie.elements];
    const path = this.#planPath('stored');
    try {
      // Imported lazily: a run that finds a cached plan does not load the script parser.
      const { isFontAddress } = await import('../../script/index.js');
      const hasOwnFonts = (element: Element): boolean => element.type === 'text' && element.typography.fontFamilies.some(isFontAddress);
      if (dependsOnSystem || optsOutOfCache(movie) || !elements.every(isPlain) || elements.some(hasOwnFonts)) return;
      const files = await Promise.all([...new Set(elements.flatMap(sourcesOf))].map((named) => this.#find(named)));
      const paths = new Set(files.map((file) => file.path));
      const movable = this.#withSources(timeline, (source) => (this.#isSprite(source) ? basename(source) : source));
      if (!timeline.sources.every((source) => paths.has(source.path) || this.#isSprite(source.path))) return;
      const plan: CachedPlan = { timeline: movable, durationSeconds, warnings, files };
      await writeFile(path, JSON.stringify(plan));
      await this.#settings.drawings.put(await this.#key, path);
    } catch {
      // A file was deleted, or changed too recently to be compared.
    }
  }

  get #sprites(): string {
    return join(this.#settings.workDir, 'sprites');
  }

  #planPath(name: string): string {
    return join(this.#settings.workDir, `${name}-plan.json`);
  }

  #isSprite(path: string): boolean {
    return dirname(path) === this.#sprites;
  }

  /** Cached plans name sprites by file name, without a folder. */
  #pathOf(source: string): string {
    return source === basename(source) ? join(this.#sprites, source) : source;
  }

  async #loadSprite(source: string): Promise<boolean> {
    const path = this.#pathOf(source);
    if (path === source) return true;
    return (await this.#settings.drawings.get(basename(path, '.fwsp'), path)) !== undefined;
  }

  #withSources(timeline: Timeline, pathOf: (path: string) => string): Timeline {
    return { ...timeline, sources: timeline.sources.map((source) => ({ ...source, path: pathOf(source.path) })) };
  }

  async #find(named: string): Promise<NamedFile> {
    const path = await realpath(resolve(this.#settings.folder, named));
    const state = await settledState(path, this.#openedAt);
    if (state === undefined) throw new Error(`${named} is missing or changed less than 2 s ago`);
    return { named, path, state };
  }

  async #isUnchanged({ named, path, state }: NamedFile): Promise<boolean> {
    return (await realpath(resolve(this.#settings.folder, named))) === path && (await fileState(path)) === state;
  }
}

/** Whether an element depends only on the script and on local files. */
function isPlain(element: Element): boolean {
  const isKnown = element.type === 'text' || element.type === 'image' || element.type === 'video' || element.type === 'audio';
  // Color tables are made in the folder of one render.
  if ('grade' in element && (element.grade !== undefined || element.keyframes.some(({ grade }) => grade !== undefined))) return false;
  return isKnown && !('generation' in element && element.generation !== undefined) && sourcesOf(element).every(isLocal);
}

function sourcesOf(element: Element): string[] {
  return [...('src' in element ? [element.src] : []), ...('mask' in element && element.mask !== undefined ? [element.mask] : [])];
}

function isLocal(source: string): boolean {
  return !URL.canParse(source);
}
