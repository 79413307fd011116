import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './process-status.js';

/** Removes the folders `<prefix><pid>` and `<prefix><pid>-…` in a folder whose process no longer runs. */
export function removeStaleFolders(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const owner = name.startsWith(prefix) ? /^(\d+)(-|$)/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
