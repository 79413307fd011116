import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Files on this machine that a script may name, by any of its texts: pictures, films, sound, captions, fonts. */
export function localFilesOf(script: unknown, moviePath: string): string[] {
  const folder = dirname(resolve(moviePath));
  const paths = new Set<string>();
  const search = (value: unknown): void => {
    if (typeof value === 'string') {
      if (looksLikePath(value) && isFile(resolve(folder, value))) paths.add(resolve(folder, value));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(search);
  };
  search(script);
  return [...paths];
}

function looksLikePath(text: string): boolean {
  return text.length < 1000 && /\.[a-z0-9]{2,5}$/i.test(text) && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
