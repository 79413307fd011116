import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { AppError, withPath } from '../../errors/index.js';
import { type Outbound, redactUrl } from '../../outbound/index.js';
import { hashFile } from './file-hash.js';
import { Semaphore } from './semaphore.js';
import { directDownloadUrl } from './shared-links.js';

/** Kind of a media file. */
export type AssetKind = 'image' | 'video' | 'audio';

/** Probe result of a media file. */
export interface MediaMetadata {
  kind: AssetKind;
  /** Display size in square pixels; 0 without video. */
  width: number;
  height: number;
  /** Seconds; 0 for stills. */
  durationSeconds: number;
  /** Loop count of an animated image; 0: endless. `durationSeconds` is one loop. Absent for other media. */
  plays?: number;
  hasAudio: boolean;
  /** Transfer characteristics of a high-dynamic-range file. Absent: SDR. */
  hdr?: 'hlg' | 'pq';
  /** The mastering display of a PQ video, as in a timeline. Absent for others. */
  mastering?: readonly number[];
  /** Content that is not rendered. */
  omitted?: ReadonlyArray<'animation' | 'audio' | 'audio-tracks' | 'end'>;
  /** SVG: rasterized at its display size. */
  isSvg?: true;
  /** Lottie animation: drawn at its display size; `durationSeconds` is one play. */
  isLottie?: true;
  /** What the player of a Lottie animation leaves out. */
  lottieLimits?: readonly string[];
}

/** A local, probed media file. */
export interface Asset<Metadata extends MediaMetadata = MediaMetadata> {
  /** Absolute. */
  path: string;
  sha256: string;
  metadata: Metadata;
}

/** Fetches and probes the files that a script names. Failures are AppErrors that name the element. */
export interface Assets<Metadata extends MediaMetadata = MediaMetadata> {
  /** Why a URL is not allowed; undefined when it is. Relative file paths are allowed if there is a local root. */
  checkUrl(url: string): string | undefined;
  /** Fetches and probes a media file. `label` is the element's path, which error messages start with; calls of one job share a signal. */
  fetchAsset(url: string, label: string, kind: AssetKind, signal: AbortSignal): Promise<Asset<Metadata>>;
  /** Fetches another file, for example a font, without probing it; `kind` names it in messages. */
  fetchFile(url: string, label: string, kind: string, maxBytes: number, signal: AbortSignal): Promise<Pick<Asset, 'path' | 'sha256'>>;
  /** Moves a generated file into the store and checks it like a fetched one. `source` names it in messages. */
  adoptFile(path: string, label: string, source: string): Promise<Asset<Metadata>>;
}

/** Limits of fetched files. */
export interface AssetLimits {
  /** Maximum size of one file. */
  maxBytes: number;
  /** Maximum size of all files together; downloads that run when it is reached still finish. */
  totalBytes: number;
  timeoutMs: number;
  stallMs: number;
  maxPixels: number;
  maxSide: number;
  /** Maximum number of parallel downloads. */
  parallel: number;
}

/** Dependencies and settings of the store. */
export interface AssetOptions<Metadata extends MediaMetadata> {
  /** Folder of the files, which are named by the hash of their bytes. */
  folder: string;
  outbound: Pick<Outbound, 'checkUrl' | 'download'>;
  probe: (path: string) => Promise<Metadata>;
  /** Root of relative paths in a script; absent: relative paths are rejected. */
  localRoot?: string;
  limits?: Partial<AssetLimits>;
}

/** Maximum image size that the engine accepts. */
export const imageLimits = { maxPixels: 50_000_000, maxSide: 16_384 };

const defaultLimits: AssetLimits = {
  maxBytes: 1024 ** 3,
  totalBytes: 10 * 1024 ** 3,
  timeoutMs: 60_000,
  stallMs: 10_000,
  ...imageLimits,
  parallel: 4,
};

type File<Metadata> = Asset<MediaMetadata & Metadata>;

interface PendingDownload<Metadata> {
  signal: AbortSignal;
  file: Promise<File<Metadata>>;
}

/** Creates the store of one job. */
export function createAssets<Metadata extends MediaMetadata>(parts: AssetOptions<Metadata>): Assets<Metadata> {
  const store = new AssetStore(parts);
  return {
    checkUrl: (url) => store.checkUrl(url),
    fetchAsset: (url, label, kind, signal) => store.fetchAsset(url, label, kind, signal),
    fetchFile: (url, label, kind, maxBytes, signal) => store.fetchFile(url, label, kind, maxBytes, signal),
    adoptFile: (path, label, source) => store.adoptFile(path, label, source),
  };
}

class AssetStore<Metadata extends MediaMetadata> implements Assets<Metadata> {
  readonly #parts: AssetOptions<Metadata>;
  readonly #limits: AssetLimits;
  readonly #downloadSlots: Semaphore;
  #fetchedBytes = 0;
  /** Running downloads, by URL. */
  readonly #downloads = new Map<string, PendingDownload<Metadata>>();

  constructor(parts: AssetOptions<Metadata>) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...parts.limits };
    this.#downloadSlots = new Semaphore(this.#limits.parallel);
  }

  checkUrl(url: string): string | undefined {
    if (this.#parts.localRoot === undefined || URL.canParse(url)) return this.#parts.outbound.checkUrl(url);
    return isAbsolute(url) ? 'a file must be named relative to the script' : undefined;
  }

  fetchAsset(url: string, label: string, kind: AssetKind, signal: AbortSignal): Promise<Asset<Metadata>> {
    return this.#withErrorPath(label, `the ${kind} at `, async () => {
      signal.throwIfAborted();
      const file = await this.#fetchShared(url, signal);
      this.#checkSize(file.metadata, this.#displayUrl(url));
      return file;
    });
  }

  fetchFile(url: string, label: string, kind: string, maxBytes: number, signal: AbortSignal): Promise<Pick<Asset, 'path' | 'sha256'>> {
    return this.#withErrorPath(label, `the ${kind} at `, () =>
      this.#downloadSlots.run(async () => {
        signal.throwIfAborted();
        if (!this.#isLocal(url)) return this.#download(url, signal, maxBytes);
        const file = await this.#readLocal(url);
        if ((await stat(file.path)).size <= maxBytes) return file;
        throw new AppError('RENDER_FAILED', { message: `${url} is larger than the ${Math.floor(maxBytes / 1_048_576)} MiB allowed` });
      }),
    );
  }

  adoptFile(path: string, label: string, source: string): Promise<Asset<Metadata>> {
    return this.#withErrorPath(label, '', async () => {
      const sha256 = await hashFile(path);
      const folder = resolve(this.#parts.folder);
      await mkdir(folder, { recursive: true });
      const adopted = join(folder, sha256);
      await rename(path, adopted);
      const metadata = await this.#probe(adopted, source, true);
      this.#checkSize(metadata, source);
      return { path: adopted, sha256, metadata };
    });
  }

  async #withErrorPath<T>(path: string, subject: string, fetch: () => Promise<T>): Promise<T> {
    try {
      return await fetch();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
      throw withPath(error, path, subject);
    }
  }

  /** Elements of one job share the download of a URL; another job downloads again, because the source may have changed. */
  #fetchShared(url: string, signal: AbortSignal): Promise<File<Metadata>> {
    const pending = this.#downloads.get(url);
    if (pending?.signal === signal) return pending.file;
    const file = this.#downloadSlots.run(() => this.#fetch(url, signal));
    const download: PendingDownload<Metadata> = { signal, file };
    this.#downloads.set(url, download);
    const forget = (): void => {
      if (this.#downloads.get(url) === download) this.#downloads.delete(url);
    };
    file.then(forget, forget);
    return file;
  }

  async #fetch(url: string, signal: AbortSignal): Promise<File<Metadata>> {
    signal.throwIfAborted();
    const { path, sha256 } = this.#isLocal(url) ? await this.#readLocal(url) : await this.#download(url, signal);
    return { path, sha256, metadata: await this.#probe(path, this.#displayUrl(url), !this.#isLocal(url)) };
  }

  #isLocal(url: string): boolean {
    return this.#parts.localRoot !== undefined && !URL.canParse(url);
  }

  async #download(url: string, signal: AbortSignal, maxBytes = this.#limits.maxBytes): Promise<{ path: string; sha256: string }> {
    const { timeoutMs, stallMs } = this.#limits;
    const folder = resolve(this.#parts.folder);
    await mkdir(folder, { recursive: true });
    // A temporary name prevents incomplete files under a hash after a crash.
    const partial = join(folder, `${randomUUID()}.partial`);
    this.#checkTotalBytes(url);
    const { sha256, sizeBytes } = await this.#parts.outbound.download(directDownloadUrl(url), partial, { maxBytes, timeoutMs, stallMs, signal });
    this.#fetchedBytes += sizeBytes;
    const path = join(folder, sha256);
    await rename(partial, path);
    return { path, sha256 };
  }

  #checkTotalBytes(url: string): void {
    const { totalBytes } = this.#limits;
    if (this.#fetchedBytes < totalBytes) return;
    throw new AppError('RENDER_FAILED', {
      message: `${this.#displayUrl(url)} exceeds the total size of a movie's files: up to ${Math.floor(totalBytes / 1_048_576)} MiB are allowed`,
    });
  }

  async #readLocal(source: string): Promise<{ path: string; sha256: string }> {
    const root = await realpath(this.#parts.localRoot ?? '.');
    const path = await realpath(resolve(root, source)).catch(() => undefined);
    const isFile = path !== undefined && (await stat(path)).isFile();
    if (!isFile) throw new AppError('RENDER_FAILED', { message: `${source} does not exist` });
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw new AppError('RENDER_FAILED', { message: `${source} lies outside the script's folder` });
    }
    return { path, sha256: await hashFile(path) };
  }

  async #probe(path: string, shown: string, isTemporary: boolean): Promise<Metadata> {
    try {
      return await this.#parts.probe(path);
    } catch (error) {
      // An unreadable file must not be found by its hash later.
      if (isTemporary) await rm(path, { force: true });
      if (error instanceof AppError && error.code !== 'RENDER_FAILED') throw error;
      const reason = error instanceof AppError ? `: ${error.message}` : '';
      throw new AppError('RENDER_FAILED', {
        message: `${shown} cannot be read as media${reason}`,
        detail: error instanceof AppError ? (error.detail ?? error.message) : String(error),
        cause: error,
      });
    }
  }

  #checkSize(metadata: MediaMetadata, shown: string): void {
    const { maxPixels, maxSide } = this.#limits;
    const { width, height } = metadata;
    if (width * height <= maxPixels && Math.max(width, height) <= maxSide) return;
    throw new AppError('RENDER_FAILED', {
      message: `${shown} is ${width}×${height} pixels large; up to ${maxPixels / 1e6} million pixels and ${maxSide} on a side are allowed`,
    });
  }

  #displayUrl(url: string): string {
    return this.#isLocal(url) ? url : redactUrl(url);
  }
}
