import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { PlannedFinish, PlannedSegment, RenderPlan, StagedSegment, StagedStitch } from '../jobs/index.js';
import type { FileCache } from '../storage/cache/index.js';
import type { ObjectStore } from '../storage/index.js';
import { bundlePrefix, documentName, hostGroup, packetsName, planName, sourceName, warningsName } from './names.js';

/** A segment that any host can render: object names instead of files. */
export interface SharedSegment extends Omit<PlannedSegment, 'key'> {
  /** Position in the movie; audio comes last. */
  index: number;
  /** Share of the total weight, 0..1. */
  share: number;
  packets: string;
}

/** The plan of one run, as stored in the object store: field names are a file format. */
export interface SharedPlan {
  jobId: string;
  accountId: string;
  run: string;
  /** Group of the hosts that can render it. */
  group: string;
  durationSeconds: number;
  warnings: string[];
  encoder: string;
  parts: SharedSegment[];
  /** Fallback if the encoder fails on any host: all segments of a movie use one encoder. */
  instead?: { encoder: string; parts: SharedSegment[] };
  /** Of a movie with `outputs`; `document` is the name of an object. */
  finish?: PlannedFinish;
}

/** Identifies a run. */
export type RunKey = Pick<SharedPlan, 'jobId' | 'accountId' | 'run'>;

/** A render process wrote an unusable plan. */
export class InvalidPlanError extends Error {}

/** Maximum concurrent transfers of one movie. */
const maxTransfers = 4;

/** Plans, sources and packets that hosts exchange through the object store; sources are cached on this host. */
export class BundleStore {
  readonly #store: ObjectStore;
  readonly #sources: FileCache;

  constructor(store: ObjectStore, sources: FileCache) {
    this.#store = store;
    this.#sources = sources;
  }

  /** Uploads the plan in `folder` with its files; the plan itself comes last. Throws InvalidPlanError. */
  async uploadPlan(place: RunKey, folder: string): Promise<SharedPlan> {
    const layout = JSON.parse(await readFile(join(folder, 'layout.json'), 'utf8')) as RenderPlan;
    const root = await realpath(folder);
    await forEachConcurrently(layout.sources, async ({ name, path }) => {
      if (!(await realpath(path)).startsWith(root + sep)) throw new InvalidPlanError('the plan names a file outside its folder');
      const target = sourceName(place.jobId, name);
      if (!(await this.#store.has(target))) await this.#store.upload(target, path);
    });
    const { finish } = layout;
    const documents = new Set(layout.encodings.flatMap(({ parts }) => parts.map(({ document }) => document)));
    if (finish !== undefined) documents.add(finish.document);
    await forEachConcurrently([...documents], (name) => this.#store.upload(documentName(place.jobId, place.run, name), join(folder, name)));
    const [first, second] = layout.encodings.map(({ encoder, parts }) => ({ encoder, parts: shareParts(place, parts) }));
    if (first === undefined) throw new InvalidPlanError('the plan has no segments');
    const { durationSeconds, warnings, identity } = layout;
    const shared = {
      ...place,
      group: hostGroup(identity),
      durationSeconds,
      warnings,
      ...first,
      ...(second !== undefined && { instead: second }),
      ...(finish !== undefined && { finish: { ...finish, document: documentName(place.jobId, place.run, finish.document) } }),
    };
    await this.putPlan(shared);
    return shared;
  }

  /** Writes the plan of a run. */
  async putPlan(layout: SharedPlan): Promise<void> {
    await this.#store.putText(planName(layout.jobId, layout.run), JSON.stringify(layout));
  }

  /** Reads the plan of a run; undefined if there is none or the stored one is damaged. The movie is then planned again. */
  async getPlan(jobId: string, run: string): Promise<SharedPlan | undefined> {
    const text = await this.#store.getText(planName(jobId, run));
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as SharedPlan;
    } catch {
      return undefined;
    }
  }

  /** Lists the segments that have no packets yet. */
  async listMissing({ parts }: SharedPlan): Promise<SharedSegment[]> {
    const exists = new Map<string, boolean>();
    await forEachConcurrently([...new Set(parts.map(({ packets }) => packets))], async (name) => void exists.set(name, await this.#store.has(name)), 16);
    return parts.filter(({ packets }) => exists.get(packets) !== true);
  }

  /** Whether a segment's packets are stored. */
  hasPackets({ packets }: SharedSegment): Promise<boolean> {
    return this.#store.has(packets);
  }

  /** Stores a segment's packets, and before them the warnings of its render. */
  async uploadPackets({ packets }: SharedSegment, path: string, warnings: readonly string[]): Promise<void> {
    if (warnings.length > 0) await this.#store.putText(warningsName(packets), JSON.stringify(warnings));
    await this.#store.upload(packets, path);
  }

  /** Reads the warnings of all segments, also of those whose packets an earlier movie left, without repetitions. */
  async getWarnings({ parts }: SharedPlan): Promise<string[]> {
    const texts = new Map<string, string | undefined>(parts.map(({ packets }) => [packets, undefined]));
    await forEachConcurrently([...texts.keys()], async (name) => void texts.set(name, await this.#store.getText(warningsName(name))), 16);
    return [...new Set([...texts.values()].flatMap((text) => (text === undefined ? [] : (JSON.parse(text) as string[]))))];
  }

  /** Stages a segment's inputs in a new folder. */
  async stageSegment(jobId: string, part: SharedSegment, folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const staged: StagedSegment = { kind: part.kind, stage: part.stage, range: part.range, document: 'document.json', ...(part.size && { size: part.size }) };
    await writeFile(join(folder, 'part.json'), JSON.stringify(staged));
    await this.#download(part.document, join(folder, staged.document));
    await forEachConcurrently(part.sources, (name) => this.#stageSource(jobId, name, join(folder, name)));
  }

  /** Stages all packets in a new folder. Returns false if some are missing. */
  async stageStitch({ jobId, encoder, parts, finish }: SharedPlan, folder: string): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const sound = parts.find(({ kind }) => kind === 'sound');
    const segments = parts.filter(({ kind }) => kind === 'picture').map(packetsFile);
    const staged: StagedStitch =
      finish === undefined
        ? { encoder, segments, ...(sound !== undefined && { audio: packetsFile(sound) }) }
        : { encoder, segments: [], finish: { document: FINISH_DOCUMENT, ...packetsOfOutputs(parts) } };
    await writeFile(join(folder, 'stitch.json'), JSON.stringify(staged));
    if (finish !== undefined) {
      await this.#download(finish.document, join(folder, FINISH_DOCUMENT));
      await forEachConcurrently(finish.sources, (name) => this.#stageSource(jobId, name, join(folder, name)));
    }
    let isWhole = true;
    await forEachConcurrently(parts, async (part) => {
      if ((await this.#store.download(part.packets, join(folder, packetsFile(part)))) === undefined) isWhole = false;
    });
    return isWhole;
  }

  /** Removes the objects that belong to this movie only. */
  remove(jobId: string): Promise<void> {
    return this.#store.deletePrefix(bundlePrefix(jobId));
  }

  async #stageSource(jobId: string, name: string, path: string): Promise<void> {
    const key = name.replace(/\..*$/, '');
    if ((await this.#sources.get(key, path)) !== undefined) return;
    await this.#download(sourceName(jobId, name), path);
    await this.#sources.put(key, path);
  }

  async #download(name: string, path: string): Promise<void> {
    if ((await this.#store.download(name, path)) === undefined) throw new Error(`${name} is missing in the object store`);
  }
}

/** Name of the file in the staged folder. */
const FINISH_DOCUMENT = 'finish.json';

/** Name of a segment's packets in the staged folder. */
const packetsFile = ({ index }: SharedSegment): string => `packets-${String(index).padStart(5, '0')}.nut`;

function packetsOfOutputs(parts: readonly SharedSegment[]): Omit<NonNullable<StagedStitch['finish']>, 'document'> {
  const ofVideos = parts.filter(({ kind }) => kind === 'picture');
  const videos = [...new Set(ofVideos.map(({ video = '' }) => video))];
  return {
    videos: videos.map((video) => ({ video, segments: ofVideos.filter((part) => part.video === video).map(packetsFile) })),
    sounds: parts.filter(({ kind }) => kind === 'sound').map((part) => ({ bitrate: part.bitrate ?? 0, path: packetsFile(part) })),
  };
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

async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>, width = maxTransfers): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, one));
}
