import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { hardwareIdentity } from './hardware-identity.js';

/** Libraries that affect decoded and encoded output. */
const CODEC_LIBRARY =
  /\/lib(avcodec|avformat|avutil|swscale|swresample|x26[45]|SvtAv1Enc|dav1d|aom|vpx|webp\w*|jxl\w*|opus|vorbis\w*|ebur128|rubberband)[.-][^/]*$/;

/**
 * Hash of everything that decides the bytes of the engine's output: the addon or program, the builds of the libraries that the
 * process has loaded, the host's video hardware and drivers, and the number of encoder threads. Undefined when it cannot be determined.
 */
export async function engineIdentity(enginePath: string, process: number | 'self'): Promise<string | undefined> {
  try {
    const loaded = (await readFile(`/proc/${process}/maps`, 'utf8')).split('\n').map((line) => line.slice(line.indexOf('/')));
    // A file was replaced while the process runs, so the file on disk differs from the loaded one.
    if (loaded.some((path) => path.endsWith(' (deleted)') && (path.startsWith(enginePath) || CODEC_LIBRARY.test(path.slice(0, -' (deleted)'.length))))) {
      return undefined;
    }
    if (!loaded.includes(enginePath)) return undefined;
    const libraries = [...new Set(loaded.filter((path) => CODEC_LIBRARY.test(path)))].sort();
    const builds = await Promise.all(
      libraries.map(async (path) => {
        const { size, mtimeMs } = await stat(path);
        return [path, size, mtimeMs];
      }),
    );
    const hash = createHash('sha256').update(await readFile(enginePath));
    return hash.update(JSON.stringify([builds, availableParallelism(), await hardwareIdentity()])).digest('hex');
  } catch {
    return undefined;
  }
}
