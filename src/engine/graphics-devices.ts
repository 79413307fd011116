import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** Device files through which this process may reach graphics devices. */
export interface GraphicsDeviceFiles {
  /** `/dev/nvidia*`, among them `/dev/nvidiactl` wherever NVIDIA's driver is visible. */
  nvidia: string[];
  /** `/dev/dxg`, Windows' device under WSL; empty on other hosts. */
  windows: string[];
  /** `/dev/dri/renderD*`. */
  renderNodes: string[];
}

/** Lists the device files of graphics devices without opening them. */
export function listGraphicsDeviceFiles(): GraphicsDeviceFiles {
  const namesIn = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const startingWith = (folder: string, prefix: string): string[] =>
    namesIn(folder)
      .filter((name) => name.startsWith(prefix))
      .map((name) => `${folder}/${name}`);
  return { nvidia: startingWith('/dev', 'nvidia'), windows: startingWith('/dev', 'dxg'), renderNodes: startingWith('/dev/dri', 'renderD') };
}

/** Number of this host's graphics devices, of NVIDIA's driver or by render nodes, whichever lists more. */
export function countGraphicsDevices(): number {
  const { nvidia, renderNodes } = listGraphicsDeviceFiles();
  return Math.max(nvidia.filter((path) => /\d$/.test(path)).length, renderNodes.length);
}

/** NVIDIA's driver: the text that names its version, and the models of its devices. Empty where it is not loaded. */
export async function nvidiaDriver(): Promise<{ version: string; models: string[] }> {
  const folder = '/proc/driver/nvidia';
  const textOf = (path: string): Promise<string> => readFile(`${folder}/${path}`, 'utf8').catch(() => '');
  const names = (await readdir(`${folder}/gpus`).catch(() => [])).sort();
  // Other lines of the file change while the device is in use.
  const models = names.map(async (name) => /^Model:\s*(.*)$/m.exec(await textOf(`gpus/${name}/information`))?.[1] ?? '');
  return { version: await textOf('version'), models: await Promise.all(models) };
}
