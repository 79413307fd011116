import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ConfigError, type Environment } from './environment.js';

export interface HtmlConfig {
  /** Chromium's headless shell, absolute; undefined: there is none on this host. */
  chromium: string | undefined;
  /** What each process of Chromium may take. */
  memoryMb: number;
}

/** The full browser is not among them: it cannot draw frames when they are asked for. */
const programs = ['chromium-headless-shell', 'chrome-headless-shell'];

export function parseHtmlConfig(environment: Environment): HtmlConfig {
  const named = environment.text('FRAMEWRIGHT_CHROMIUM');
  if (named !== undefined && !isAbsolute(named)) {
    throw new ConfigError('FRAMEWRIGHT_CHROMIUM', `"${named}" is not an absolute path to Chromium's headless shell`);
  }
  const folders = (environment.text('PATH') ?? '').split(delimiter).filter(isAbsolute);
  const candidates = named === undefined ? programs.flatMap((program) => folders.map((folder) => join(folder, program))) : [named];
  return Object.freeze({
    chromium: candidates.find(isProgram),
    memoryMb: environment.integer('FRAMEWRIGHT_PAGE_MEMORY_MB', 2048, { min: 512, max: 16_777_216 }),
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
