import type { Asset, Assets } from '../../render/assets/index.js';

/** What stands behind a URL may change; who edits a script for longer sees that it has. */
const keptMs = 300_000;
const mostKept = 2000;

/** The same files for every script that names them, for a while: only the first one waits for the network. Failures are not kept. */
export function keepAssets(assets: Assets, now: () => number = () => performance.now()): Assets {
  const kept = new Map<string, { at: number; file: Pick<Asset, 'path' | 'sha256'> }>();
  const once = async <File extends Pick<Asset, 'path' | 'sha256'>>(key: string, fetch: () => Promise<File>): Promise<File> => {
    const known = kept.get(key);
    if (known !== undefined && now() - known.at < keptMs) return known.file as File;
    const file = await fetch();
    kept.delete(key);
    kept.set(key, { at: now(), file });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return file;
  };
  return {
    checkUrl: (url) => assets.checkUrl(url),
    fetchAsset: (url, label, kind, signal) => once(`medium ${url}`, () => assets.fetchAsset(url, label, kind, signal)),
    fetchFile: (url, label, kind, maxBytes, signal) => once(`${kind} ${url}`, () => assets.fetchFile(url, label, kind, maxBytes, signal)),
    adoptFile: (path, label, source) => assets.adoptFile(path, label, source),
  };
}
