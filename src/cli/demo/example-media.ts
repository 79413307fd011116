import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeAurora } from './aurora-clip.js';
import { drawLogo, drawPanel } from './graphics.js';
import { type Daylight, daylights, drawLandscape } from './landscape.js';
import { composeMusic, composeSwell, encodeWav } from './music.js';

/** Grows when what the makers draw changes, so that older files are made anew. */
const edition = '2';

const musicSeconds = 27;
const clipSeconds = 6;

type Maker = (path: string) => Promise<void>;

const landscape =
  (daylight: Daylight): Maker =>
  async (path) =>
    writeFile(path, await drawLandscape(daylight).encode('jpeg', 90));

/** Every file that the movies in examples/ name, with what makes it. The same at every run and on every machine. */
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

export const exampleMediaNames: readonly string[] = Object.keys(makers);

/** Makes one of them, under its name, in a folder that exists. */
export async function makeExampleFile(name: string, folder: string): Promise<void> {
  const make = makers[name];
  if (make === undefined) throw new Error(`there is no example file "${name}"`);
  await make(join(folder, name));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Makes what is missing in the parent's `media` folder and returns that folder. `onMake` hears each name. */
export async function makeExampleMedia(parent: string, onMake: (name: string) => void = () => undefined): Promise<string> {
  const folder = join(parent, 'media');
  const editionPath = join(folder, '.edition');
  const madeEdition = await readFile(editionPath, 'utf8').catch(() => '');
  await mkdir(folder, { recursive: true });
  for (const [name, make] of Object.entries(makers)) {
    const path = join(folder, name);
    if (madeEdition !== edition || !(await exists(path))) {
      onMake(name);
      // Under another name first: an interrupted run must not leave half a picture.
      const partPath = `${path}.${process.pid}.part`;
      await make(partPath);
      await rename(partPath, path);
    }
  }
  await writeFile(editionPath, edition);
  return folder;
}
