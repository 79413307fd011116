import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nvidiaDriver } from './graphics-devices.js';

const libraryFolders = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib'];
const manifestFolders = ['/usr/share/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/etc/vulkan/icd.d'];
const driverFolders = libraryFolders.map((folder) => join(folder, 'dri'));

/**
 * Graphics devices and their drivers, which decide the output of hardware encoders and GPU compositors; read without opening a device.
 * Loaded drivers are not considered, because an engine process may load one only when it starts to encode.
 */
export async function hardwareIdentity(): Promise<unknown[]> {
  return [await nvidiaDriver(), await renderNodes(), await buildsIn(driverFolders, /_drv_video\.so$/), await vulkanDrivers()];
}

async function renderNodes(): Promise<string[]> {
  const folder = '/sys/class/drm';
  const nodes = (await namesIn(folder)).filter((name) => name.startsWith('renderD'));
  return Promise.all(nodes.map(async (name) => `${await textOf(join(folder, name, 'device/vendor'))}${await textOf(join(folder, name, 'device/device'))}`));
}

/** The set of Vulkan drivers decides which compositor is selected. */
async function vulkanDrivers(): Promise<unknown[]> {
  return [...(await buildsIn(manifestFolders, /\.json$/)), ...(await buildsIn(libraryFolders, /^libvulkan(_\w+)?\.so/))];
}

async function buildsIn(folders: readonly string[], wanted: RegExp): Promise<unknown[]> {
  const builds = folders.map(async (folder) => {
    const names = (await namesIn(folder)).filter((name) => wanted.test(name));
    return Promise.all(
      names.map(async (name) => {
        const build = await stat(join(folder, name)).catch(() => undefined);
        return [name, build?.size, build?.mtimeMs];
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
