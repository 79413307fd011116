import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from './environment.js';

/** The first of the programs that a folder of PATH has; absolute. */
export function findOnPath(environment: Environment, programs: readonly string[]): string | undefined {
  const folders = (environment.text('PATH') ?? '').split(delimiter).filter(isAbsolute);
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
