import type { Asset, Assets } from '../../render/assets/index.js';
import { LruCache } from '../index.js';

/** The file behind a URL may change while its script is edited. */
const ttlMs = 300_000;
const maxFiles = 2000;

type CachedFile = Pick<Asset, 'path' | 'sha256'>;

/** Fetches each URL once in five minutes for all scripts of an account. Failures are not cached. */
export function cacheAssets(assets: Assets): Assets {
  const files = new LruCache<CachedFile>(maxFiles, ttlMs);
  const cached = async <File extends CachedFile>(key: string, fetch: () => Promise<File>): Promise<File> =>
    (files.get(key) as File | undefined) ?? files.set(key, await fetch());
  return {
    checkUrl: (url) => assets.checkUrl(url),
    fetchAsset: (url, label, kind, signal) => cached(`medium ${url}`, () => assets.fetchAsset(url, label, kind, signal)),
    fetchFile: (url, label, kind, maxBytes, signal) => cached(`${kind} ${url}`, () => assets.fetchFile(url, label, kind, maxBytes, signal)),
    adoptFile: (path, label, source) => assets.adoptFile(path, label, source),
  };
}
