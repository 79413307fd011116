import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeStaleFolders } from '../child-processes/index.js';
import type { EngineProcessSettings } from './engine-channel.js';
import { type EngineProcess, startEngineProcess } from './engine-process.js';

/** Settings of the pool's processes. */
interface EnginePoolSettings extends Omit<EngineProcessSettings, 'folder'> {
  /** Parent of the idle processes' folders; on the same file system as the job folders. */
  folder: string;
}

/** Pool of warm engine processes. Each process serves one job, so a process compromised by hostile media ends with that job. */
export interface EnginePool {
  /** Returns a process whose folder has been renamed to `folder`, which must not exist yet. */
  acquire(folder: string): Promise<EngineProcess>;
  close(): Promise<void>;
}

const prefix = 'engine-';
/** Delay before the next process starts, so that it does not compete with the job's first steps. */
const REPLENISH_DELAY_MS = 300;

/** Starts the pool with one idle process, after removing folders of pools whose process has exited. */
export function createEnginePool(settings: EnginePoolSettings): EnginePool {
  mkdirSync(settings.folder, { recursive: true, mode: 0o700 });
  removeStaleFolders(settings.folder, prefix);
  let spare: { engine: EngineProcess; folder: string } | undefined;
  const start = (): NonNullable<typeof spare> => {
    const folder = mkdtempSync(join(settings.folder, `${prefix}${process.pid}-`));
    return { engine: startEngineProcess({ ...settings, folder }), folder };
  };
  const removeSpareFolder = (): void => {
    if (spare !== undefined) rmSync(spare.folder, { recursive: true, force: true });
  };
  process.once('exit', removeSpareFolder);
  let restart: NodeJS.Timeout | undefined;
  spare = start();
  return {
    async acquire(folder) {
      const acquired = spare === undefined || spare.engine.exitError !== undefined ? start() : spare;
      if (acquired !== spare) removeSpareFolder();
      spare = undefined;
      clearTimeout(restart);
      restart = setTimeout(() => {
        spare ??= start();
      }, REPLENISH_DELAY_MS).unref();
      await acquired.engine.moveFolder(folder);
      return acquired.engine;
    },
    async close() {
      clearTimeout(restart);
      await spare?.engine.close();
      removeSpareFolder();
      spare = undefined;
      process.off('exit', removeSpareFolder);
    },
  };
}
