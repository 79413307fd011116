import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { hardwareIdentity } from './hardware-identity.js';

/** Libraries that decide what decoders and encoders make of a picture or a sound. */
const CODEC_LIBRARY = /\/lib(avcodec|avformat|avutil|swscale|swresample|x26[45]|SvtAv1Enc|dav1d|aom|vpx|webp\w*|jxl\w*|opus|vorbis\w*|ebur128)[.-][^/]*$/;

/**
 * Stands for everything about this engine that decides the bytes of its output: the bytes of the addon or program
 * that it is in, the builds of the libraries that its process has really loaded, the host's video hardware with its drivers, and how many threads
 * encoders start. Undefined where that cannot be told.
 */
export async function engineIdentity(enginePath: string, process: number | 'self'): Promise<string | undefined> {
  try {
    const loaded = (await readFile(`/proc/${process}/maps`, 'utf8')).split('\n').map((line) => line.slice(line.indexOf('/')));
    // Replaced while it runs: what is on the disk is not what is in memory.
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
