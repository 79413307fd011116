import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeAurora } from './aurora-clip.js';
import { drawLogo, drawPanel } from './graphics.js';
import { type Daylight, daylights, drawLandscape } from './landscape.js';
import { composeMusic, composeSwell, encodeWav } from './music.js';

/** Increased whenever the output of a maker changes, so that older files are replaced. */
const edition = '2';

const musicSeconds = 27;
const clipSeconds = 6;

type Maker = (path: string) => Promise<void>;

const landscape =
  (daylight: Daylight): Maker =>
  async (path) =>
    writeFile(path, await drawLandscape(daylight).encode('jpeg', 90));

/** Makers of all files that the movies in examples/ name. They are deterministic. */
const makers: Record<string, Maker> = {
  'mountains-dawn.jpg': landscape(daylights.dawn),
  'lake-dusk.jpg': landscape(daylights.dusk),
  'mountains-night.jpg': landscape(daylights.night),
  'logo.png': async (path) => writeFile(path, await drawLogo().encode('png')),
  'panel.png': async (path) => writeFile(path, await drawPanel().encode('png')),
  'music.wav': (path) => writeFile(path, encodeWav(composeMusic(musicSeconds))),
  'aurora.mp4': async (path) => {
    const soundPath = `${path}.wav`;
    await writeFile(soundPath, encodeWav(composeSwell(clipSeconds)));
    await encodeAurora(path, clipSeconds, soundPath).finally(() => rm(soundPath, { force: true }));
  },
};

/** Names of all example files. */
export const exampleMediaNames: readonly string[] = Object.keys(makers);

/** Writes one example file into an existing folder. */
export async function makeExampleFile(name: string, folder: string): Promise<void> {
  const make = makers[name];
  if (make === undefined) throw new Error(`There is no example file "${name}".`);
  await make(join(folder, name));
}

/** Creates missing files in the `media` folder of `parent` and returns that folder. `onMake` is called before each file. */
export async function makeExampleMedia(parent: string, onMake: (name: string) => void = () => undefined): Promise<string> {
  const folder = join(parent, 'media');
  const editionPath = join(folder, '.edition');
  const madeEdition = await readFile(editionPath, 'utf8').catch(() => '');
  await mkdir(folder, { recursive: true });
  for (const [name, make] of Object.entries(makers)) {
    const path = join(folder, name);
    if (madeEdition !== edition || !existsSync(path)) {
      onMake(name);
      // Renamed when complete, so that an interrupted run leaves no partial file.
      const partPath = `${path}.${process.pid}.part`;
      await make(partPath);
      await rename(partPath, path);
    }
  }
  await writeFile(editionPath, edition);
  return folder;
}
