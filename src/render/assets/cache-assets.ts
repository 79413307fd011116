import type { Asset, Assets } from './assets.js';

type CachedFile = Pick<Asset, 'path' | 'sha256'>;

/** Where fetched files are remembered, such as a Map. */
export interface FileMemory {
  get(key: string): CachedFile | undefined;
  set(key: string, file: CachedFile): unknown;
}

/** Fetches each URL once while `files` remembers it. Failures are not remembered. */
export function cacheAssets(assets: Assets, files: FileMemory): Assets {
  const cached = async <File extends CachedFile>(key: string, fetch: () => Promise<File>): Promise<File> => {
    const known = files.get(key) as File | undefined;
    if (known !== undefined) return known;
    const file = await fetch();
    files.set(key, file);
    return file;
  };
  return {
    checkUrl: (url) => assets.checkUrl(url),
    fetchAsset: (url, label, kind, signal) => cached(`medium ${url}`, () => assets.fetchAsset(url, label, kind, signal)),
    fetchFile: (url, label, kind, maxBytes, signal) => cached(`${kind} ${url}`, () => assets.fetchFile(url, label, kind, maxBytes, signal)),
    adoptFile: (path, label, source) => assets.adoptFile(path, label, source),
  };
}
