import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../usage-error.js';
import { starterMovie } from './starter-movie.js';

/** The path of the movie script that was written. */
export async function writeStarter(folder: string, writesOver: boolean): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'movie.json');
  await writeFile(path, `${JSON.stringify(starterMovie, null, 2)}\n`, { flag: writesOver ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new UsageError(`${path} is there already: --force writes over it.`);
    throw error;
  });
  return path;
}
