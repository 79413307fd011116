import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { PlannedSegment, RenderPlan, StagedSegment, StagedStitch } from '../jobs/index.js';
import type { FileCache } from '../storage/cache/index.js';
import type { ObjectStore } from '../storage/index.js';
import { bundlePrefix, documentName, hostGroup, packetsName, planName, sourceName } from './names.js';

/** A part as any host can take it up: names on the shelf instead of files. */
export interface SharedSegment extends Omit<PlannedSegment, 'key'> {
  /** In the order of the movie; the sound is the last one. */
  index: number;
  /** 0..1 of all parts. */
  share: number;
  packets: string;
}

/** One run of a movie, as it lies on the shelf. */
export interface SharedPlan {
  jobId: string;
  accountId: string;
  run: string;
  /** Of the hosts that can render it. */
  group: string;
  durationSeconds: number;
  warnings: string[];
  encoder: string;
  parts: SharedSegment[];
  /** Takes over where the encoder gives out on any host: all parts of a movie are of one encoder. */
  instead?: { encoder: string; parts: SharedSegment[] };
}

export type RunKey = Pick<SharedPlan, 'jobId' | 'accountId' | 'run'>;

/** A render process has laid out what cannot be used. */
export class InvalidPlanError extends Error {}

/** At the same time, of one movie. */
const parallel = 4;

/** What hosts hand to each other of movies, on the shelf and, as far as sources go, in a cache of this host. */
export class BundleStore {
  readonly #shelf: ObjectStore;
  readonly #sources: FileCache;

  constructor(shelf: ObjectStore, sources: FileCache) {
    this.#shelf = shelf;
    this.#sources = sources;
  }

  /** Puts what a render process has laid out in `folder` onto the shelf; the layout itself comes last. */
  async uploadPlan(place: RunKey, folder: string): Promise<SharedPlan> {
    const layout = JSON.parse(await readFile(join(folder, 'layout.json'), 'utf8')) as RenderPlan;
    const root = await realpath(folder);
    await inTurns(layout.sources, async ({ name, path }) => {
      if (!(await realpath(path)).startsWith(root + sep)) throw new InvalidPlanError('a layout names a file outside of its folder');
      const target = sourceName(place.jobId, name);
      if (!(await this.#shelf.has(target))) await this.#shelf.upload(target, path);
    });
    const documents = new Set(layout.encodings.flatMap(({ parts }) => parts.map(({ document }) => document)));
    await inTurns([...documents], (name) => this.#shelf.upload(documentName(place.jobId, place.run, name), join(folder, name)));
    const [first, second] = layout.encodings.map(({ encoder, parts }) => ({ encoder, parts: shareParts(place, parts) }));
    if (first === undefined) throw new InvalidPlanError('a layout without parts');
    const { durationSeconds, warnings, identity } = layout;
    const shared = { ...place, group: hostGroup(identity), durationSeconds, warnings, ...first, ...(second !== undefined && { instead: second }) };
    await this.putPlan(shared);
    return shared;
  }

  async putPlan(layout: SharedPlan): Promise<void> {
    await this.#shelf.putText(planName(layout.jobId, layout.run), JSON.stringify(layout));
  }

  async getPlan(jobId: string, run: string): Promise<SharedPlan | undefined> {
    const text = await this.#shelf.getText(planName(jobId, run));
    return text === undefined ? undefined : (JSON.parse(text) as SharedPlan);
  }

  /** Those of which there are no packets yet. */
  async listMissing({ parts }: SharedPlan): Promise<SharedSegment[]> {
    const there = new Map<string, boolean>();
    await inTurns([...new Set(parts.map(({ packets }) => packets))], async (name) => void there.set(name, await this.#shelf.has(name)), 16);
    return parts.filter(({ packets }) => there.get(packets) !== true);
  }

  hasPackets({ packets }: SharedSegment): Promise<boolean> {
    return this.#shelf.has(packets);
  }

  uploadPackets({ packets }: SharedSegment, path: string): Promise<void> {
    return this.#shelf.upload(packets, path);
  }

  /** Puts all that a part takes into a new folder. */
  async stageSegment(jobId: string, part: SharedSegment, folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const staged: StagedSegment = { kind: part.kind, stage: part.stage, range: part.range, document: 'document.json' };
    await writeFile(join(folder, 'part.json'), JSON.stringify(staged));
    await this.#takeOrFail(part.document, join(folder, staged.document));
    await inTurns(part.sources, (name) => this.#stageSource(jobId, name, join(folder, name)));
  }

  /** Puts all packets into a new folder; false: some are not on the shelf any more. */
  async stageStitch({ parts }: SharedPlan, folder: string): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const nameOf = ({ index }: SharedSegment): string => `packets-${String(index).padStart(5, '0')}.nut`;
    const sound = parts.find(({ kind }) => kind === 'sound');
    const segments = parts.filter(({ kind }) => kind === 'picture').map(nameOf);
    const staged: StagedStitch = { segments, ...(sound !== undefined && { audio: nameOf(sound) }) };
    await writeFile(join(folder, 'stitch.json'), JSON.stringify(staged));
    let isWhole = true;
    await inTurns(parts, async (part) => {
      if ((await this.#shelf.download(part.packets, join(folder, nameOf(part)))) === undefined) isWhole = false;
    });
    return isWhole;
  }

  /** What was only for this movie. */
  remove(jobId: string): Promise<void> {
    return this.#shelf.deletePrefix(bundlePrefix(jobId));
  }

  async #stageSource(jobId: string, name: string, path: string): Promise<void> {
    const key = name.replace(/\..*$/, '');
    if ((await this.#sources.get(key, path)) !== undefined) return;
    await this.#takeOrFail(sourceName(jobId, name), path);
    await this.#sources.put(key, path);
  }

  async #takeOrFail(name: string, path: string): Promise<void> {
    if ((await this.#shelf.download(name, path)) === undefined) throw new Error(`${name} is not on the shelf`);
  }
}

function shareParts(place: RunKey, parts: readonly PlannedSegment[]): SharedSegment[] {
  const all = parts.reduce((sum, { weight }) => sum + weight, 0);
  return parts.map(({ key, ...part }, index) => ({
    ...part,
    index,
    share: part.weight / all,
    document: documentName(place.jobId, place.run, part.document),
    packets: packetsName(place, index, key),
  }));
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>, width = parallel): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, one));
}
