import { isAbsolute } from 'node:path';
import { ConfigError, type Environment, isExecutable } from './environment.js';

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
  return Object.freeze({
    chromium: named === undefined ? environment.findProgram(programs) : [named].find(isExecutable),
    memoryMb: environment.integer('FRAMEWRIGHT_PAGE_MEMORY_MB', 2048, { min: 512, max: 16_777_216 }),
  });
}
