import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { AppError, withPath } from '../../errors/index.js';
import { type Outbound, redactUrl } from '../../outbound/index.js';
import { hashFile } from './file-hash.js';
import { Semaphore } from './semaphore.js';
import { directDownloadUrl } from './shared-links.js';

export type AssetKind = 'image' | 'video' | 'audio';

/** What probing says about a file. */
export interface MediaMetadata {
  kind: AssetKind;
  /** As shown, in square pixels; 0 without picture. */
  width: number;
  height: number;
  /** Seconds; 0 for stills. */
  durationSeconds: number;
  /** Rounds of an animated picture, which lasts one of them; 0: without end. Absent: nothing of the kind. */
  plays?: number;
  hasAudio: boolean;
  /** Of lines rather than pixels, SVG: drawn as large as it is shown. */
  isSvg?: true;
}

export interface Asset<Facts extends MediaMetadata = MediaMetadata> {
  /** Absolute. */
  path: string;
  sha256: string;
  metadata: Facts;
}

export interface Assets<Facts extends MediaMetadata = MediaMetadata> {
  /** Like the outbound door's, and relative file paths where there is a local root. */
  checkUrl(url: string): string | undefined;
  /** The file that an element names, here and probed. `label` is the element's path and opens every message; calls of one job share a signal. */
  fetchAsset(url: string, label: string, kind: AssetKind, signal: AbortSignal): Promise<Asset<Facts>>;
  /** A file that is no medium, like a font, by the same rules and with no look inside; `kind` names it in messages. */
  fetchFile(url: string, label: string, kind: string, maxBytes: number, signal: AbortSignal): Promise<Pick<Asset, 'path' | 'sha256'>>;
  /** Takes over a file that was made here, with a fetched file's checks. `source` names it in messages. */
  adoptFile(path: string, label: string, source: string): Promise<Asset<Facts>>;
}

export interface AssetLimits {
  /** Of one file. */
  maxBytes: number;
  /** Of all files together; those that are under way when it is reached still come. */
  totalBytes: number;
  timeoutMs: number;
  stallMs: number;
  maxPixels: number;
  maxSide: number;
  /** Downloads at the same time. */
  parallel: number;
}

export interface AssetOptions<Facts extends MediaMetadata> {
  /** Where files are kept, by the hash of their bytes. */
  folder: string;
  outbound: Pick<Outbound, 'checkUrl' | 'download'>;
  probe: (path: string) => Promise<Facts>;
  /** Folder that relative paths in a script mean; without it they are refused. */
  localRoot?: string;
  limits?: Partial<AssetLimits>;
}

/** Of any one picture that the engine is given. */
export const imageLimits = { maxPixels: 50_000_000, maxSide: 16_384 };

const defaultLimits: AssetLimits = {
  maxBytes: 1024 ** 3,
  totalBytes: 10 * 1024 ** 3,
  timeoutMs: 60_000,
  stallMs: 10_000,
  ...imageLimits,
  parallel: 4,
};

type File<Facts> = Asset<MediaMetadata & Facts>;

interface PendingDownload<Facts> {
  signal: AbortSignal;
  file: Promise<File<Facts>>;
}

export function createAssets<Facts extends MediaMetadata>(parts: AssetOptions<Facts>): Assets<Facts> {
  const store = new AssetStore(parts);
  return {
    checkUrl: (url) => store.checkUrl(url),
    fetchAsset: (url, label, kind, signal) => store.fetchAsset(url, label, kind, signal),
    fetchFile: (url, label, kind, maxBytes, signal) => store.fetchFile(url, label, kind, maxBytes, signal),
    adoptFile: (path, label, source) => store.adoptFile(path, label, source),
  };
}

class AssetStore<Facts extends MediaMetadata> implements Assets<Facts> {
  readonly #parts: AssetOptions<Facts>;
  readonly #limits: AssetLimits;
  readonly #turnstile: Semaphore;
  #fetchedBytes = 0;
  /** Downloads under way, by URL. */
  readonly #flights = new Map<string, PendingDownload<Facts>>();

  constructor(parts: AssetOptions<Facts>) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...parts.limits };
    this.#turnstile = new Semaphore(this.#limits.parallel);
  }

  checkUrl(url: string): string | undefined {
    if (this.#parts.localRoot === undefined || URL.canParse(url)) return this.#parts.outbound.checkUrl(url);
    return isAbsolute(url) ? 'a file must be named relative to the script' : undefined;
  }

  fetchAsset(url: string, label: string, kind: AssetKind, signal: AbortSignal): Promise<Asset<Facts>> {
    return this.#worded(label, `the ${kind} at `, async () => {
      signal.throwIfAborted();
      const file = await this.#shared(url, signal);
      this.#checkSize(file.metadata, this.#shown(url));
      return file;
    });
  }

  fetchFile(url: string, label: string, kind: string, maxBytes: number, signal: AbortSignal): Promise<Pick<Asset, 'path' | 'sha256'>> {
    return this.#worded(label, `the ${kind} at `, () =>
      this.#turnstile.run(async () => {
        signal.throwIfAborted();
        if (!this.#isLocal(url)) return this.#download(url, signal, maxBytes);
        const file = await this.#readLocal(url);
        if ((await stat(file.path)).size <= maxBytes) return file;
        throw new AppError('RENDER_FAILED', { message: `${url} is larger than the ${Math.floor(maxBytes / 1_048_576)} MiB allowed` });
      }),
    );
  }

  adoptFile(path: string, label: string, source: string): Promise<Asset<Facts>> {
    return this.#worded(label, '', async () => {
      const sha256 = await hashFile(path);
      const folder = resolve(this.#parts.folder);
      await mkdir(folder, { recursive: true });
      const adopted = join(folder, sha256);
      await rename(path, adopted);
      const facts = await this.#probed(adopted, source, true);
      this.#checkSize(facts, source);
      return { path: adopted, sha256, metadata: facts };
    });
  }

  async #worded<T>(path: string, subject: string, fetch: () => Promise<T>): Promise<T> {
    try {
      return await fetch();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
      throw withPath(error, path, subject);
    }
  }

  /** Elements of one job that name the same URL share one download; another job asks anew, for the source may have changed. */
  #shared(url: string, signal: AbortSignal): Promise<File<Facts>> {
    const flying = this.#flights.get(url);
    if (flying?.signal === signal) return flying.file;
    const file = this.#turnstile.run(() => this.#fetch(url, signal));
    const flight: PendingDownload<Facts> = { signal, file };
    this.#flights.set(url, flight);
    const landed = (): void => {
      if (this.#flights.get(url) === flight) this.#flights.delete(url);
    };
    file.then(landed, landed);
    return file;
  }

  async #fetch(url: string, signal: AbortSignal): Promise<File<Facts>> {
    signal.throwIfAborted();
    const { path, sha256 } = this.#isLocal(url) ? await this.#readLocal(url) : await this.#download(url, signal);
    return { path, sha256, metadata: await this.#probed(path, this.#shown(url), !this.#isLocal(url)) };
  }

  #isLocal(url: string): boolean {
    return this.#parts.localRoot !== undefined && !URL.canParse(url);
  }

  async #download(url: string, signal: AbortSignal, maxBytes = this.#limits.maxBytes): Promise<{ path: string; sha256: string }> {
    const { timeoutMs, stallMs } = this.#limits;
    const folder = resolve(this.#parts.folder);
    await mkdir(folder, { recursive: true });
    // A name of its own until it is whole: a crash or a second process never leaves half a file under a hash.
    const partial = join(folder, `${randomUUID()}.partial`);
    this.#checkRoom(url);
    const { sha256, sizeBytes } = await this.#parts.outbound.download(directDownloadUrl(url), partial, { maxBytes, timeoutMs, stallMs, signal });
    this.#fetchedBytes += sizeBytes;
    const path = join(folder, sha256);
    await rename(partial, path);
    return { path, sha256 };
  }

  #checkRoom(url: string): void {
    const { totalBytes } = this.#limits;
    if (this.#fetchedBytes < totalBytes) return;
    throw new AppError('RENDER_FAILED', {
      message: `${this.#shown(url)} is one too many: the files of a movie may have ${Math.floor(totalBytes / 1_048_576)} MiB together`,
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

  async #probed(path: string, shown: string, isOurs: boolean): Promise<Facts> {
    try {
      return await this.#parts.probe(path);
    } catch (error) {
      // What cannot be read now must not be found by its hash later.
      if (isOurs) await rm(path, { force: true });
      if (error instanceof AppError && error.code !== 'RENDER_FAILED') throw error;
      const reason = error instanceof AppError ? `: ${error.message}` : '';
      throw new AppError('RENDER_FAILED', {
        message: `${shown} cannot be read as media${reason}`,
        detail: error instanceof AppError ? (error.detail ?? error.message) : String(error),
        cause: error,
      });
    }
  }

  #checkSize(facts: MediaMetadata, shown: string): void {
    const { maxPixels, maxSide } = this.#limits;
    const { width, height } = facts;
    if (width * height <= maxPixels && Math.max(width, height) <= maxSide) return;
    throw new AppError('RENDER_FAILED', {
      message: `${shown} is ${width}×${height} pixels large; up to ${maxPixels / 1e6} million pixels and ${maxSide} on a side are allowed`,
    });
  }

  #shown(url: string): string {
    return this.#isLocal(url) ? url : redactUrl(url);
  }
}
