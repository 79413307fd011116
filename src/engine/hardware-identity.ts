import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const driverFolders = ['/usr/lib/x86_64-linux-gnu/dri', '/usr/lib/aarch64-linux-gnu/dri', '/usr/lib64/dri', '/usr/lib/dri'];

/**
 * What decides the bytes of hardware encoders: the chips and their drivers, as far as they can be seen without opening them.
 * Whether a driver is loaded yet says nothing: an engine process may encode without having tried the encoder first.
 */
export async function hardwareIdentity(): Promise<unknown[]> {
  return [await textOf('/proc/driver/nvidia/version'), await nvidiaCards(), await renderNodes(), await driverBuilds()];
}

async function nvidiaCards(): Promise<string[]> {
  const folder = '/proc/driver/nvidia/gpus';
  // The rest of this file changes while the card is in use.
  return Promise.all((await namesIn(folder)).map(async (name) => /^Model:.*$/m.exec(await textOf(join(folder, name, 'information')))?.[0] ?? ''));
}

async function renderNodes(): Promise<string[]> {
  const folder = '/sys/class/drm';
  const nodes = (await namesIn(folder)).filter((name) => name.startsWith('renderD'));
  return Promise.all(nodes.map(async (name) => `${await textOf(join(folder, name, 'device/vendor'))}${await textOf(join(folder, name, 'device/device'))}`));
}

async function driverBuilds(): Promise<unknown[]> {
  const builds = driverFolders.map(async (folder) => {
    const drivers = (await namesIn(folder)).filter((name) => name.endsWith('_drv_video.so'));
    return Promise.all(
      drivers.map(async (name) => {
        const { size, mtimeMs } = await stat(join(folder, name));
        return [name, size, mtimeMs];
      }),
    );
  });
  return (await Promise.all(builds)).flat();
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
