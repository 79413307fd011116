import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Canvas } from '@napi-rs/canvas';
import { encodeAurora } from './aurora-clip.js';
import { drawLogo, drawPanel } from './graphics.js';
import { type Daylight, daylights, drawLandscape } from './landscape.js';
import { composeMusic, composeSwell, encodeWav } from './music.js';
import { drawCity, drawMap, drawSky, drawStadium, drawStage, skies } from './scenery/backdrops.js';
import { composeConfetti } from './scenery/confetti.js';
import { drawScene } from './scenery/draw-scene.js';
import { balloons, berryBowl, house, orbLamp, solids } from './scenery/objects.js';
import { bedroom, kitchen, livingRoom } from './scenery/rooms.js';

/** Increased whenever the output of a maker changes, so that older files are replaced. */
const edition = '4';

const musicSeconds = 27;
const clipSeconds = 6;

type Maker = (path: string) => Promise<void>;

const image =
  (draw: () => Canvas): Maker =>
  async (path) =>
    writeFile(path, await draw().encode('jpeg', 90));

const landscape = (daylight: Daylight): Maker => image(() => drawLandscape(daylight));

/** Makers of all files that the movies in examples/ name. They are deterministic. */
const makers: Record<string, Maker> = {
  'mountains-dawn.jpg': landscape(daylights.dawn),
  'lake-dusk.jpg': landscape(daylights.dusk),
  'mountains-night.jpg': landscape(daylights.night),
  'house.jpg': image(() => drawScene(house)),
  'living-room.jpg': image(() => drawScene(livingRoom)),
  'kitchen.jpg': image(() => drawScene(kitchen)),
  'bedroom.jpg': image(() => drawScene(bedroom)),
  'lamp.jpg': image(() => drawScene(orbLamp)),
  'berries.jpg': image(() => drawScene(berryBowl)),
  'balloons.jpg': image(() => drawScene(balloons)),
  'solids.jpg': image(() => drawScene(solids)),
  'sky-day.jpg': image(() => drawSky(skies.day)),
  'sky-evening.jpg': image(() => drawSky(skies.evening)),
  'sky-rain.jpg': image(() => drawSky(skies.rain)),
  'city.jpg': image(drawCity),
  'stage.jpg': image(drawStage),
  'stadium.jpg': image(drawStadium),
  'map.jpg': image(drawMap),
  'confetti.json': (path) => writeFile(path, composeConfetti()),
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
export async function makeExampleFile(name: string, folder: string, path = join(folder, name)): Promise<void> {
  const make = makers[name];
  if (make === undefined) throw new Error(`There is no example file "${name}".`);
  await make(path);
}

/** Time after which the lock of a file counts as left by a process that was killed. */
const maxMakingMs = 300_000;

/** Makes a missing file and returns true, or returns false if another process makes it. */
async function tryMake(path: string, make: () => Promise<void>): Promise<boolean> {
  if (existsSync(path)) return true;
  const lock = `${path}.lock`;
  try {
    await writeFile(lock, '', { flag: 'wx' });
  } catch {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > maxMakingMs) await rm(lock, { force: true });
    return false;
  }
  await make().finally(() => rm(lock, { force: true }));
  return true;
}

/** Names of the example files that a script refers to. */
export function exampleMediaOf(script: unknown): string[] {
  const text = JSON.stringify(script);
  return exampleMediaNames.filter((name) => text.includes(`media/${name}`));
}

export interface ExampleMediaOptions {
  /** Default: all. */
  names?: readonly string[];
  /** Called before each file. */
  onMake?: (name: string) => void;
}

/** Creates missing files in the `media` folder of `parent` and returns that folder. */
export async function makeExampleMedia(parent: string, { names = exampleMediaNames, onMake = () => undefined }: ExampleMediaOptions = {}): Promise<string> {
  const folder = join(parent, 'media');
  const editionPath = join(folder, '.edition');
  await mkdir(folder, { recursive: true });
  if ((await readFile(editionPath, 'utf8').catch(() => '')) !== edition) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
    await writeFile(editionPath, edition);
  }
  // Files that another process makes are awaited last, so that processes share the work.
  for (let waiting = [...names]; waiting.length > 0; ) {
    const later: string[] = [];
    for (const name of waiting) {
      const path = join(folder, name);
      const isThere = await tryMake(path, async () => {
        onMake(name);
        // Renamed when complete, so that an interrupted run leaves no partial file.
        const partPath = `${path}.${process.pid}.part`;
        await makeExampleFile(name, folder, partPath);
        await rename(partPath, path);
      });
      if (!isThere) later.push(name);
    }
    if (later.length > 0) await sleep(200);
    waiting = later;
  }
  return folder;
}
