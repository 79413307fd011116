import { isAbsolute } from 'node:path';
import { ConfigError, type Environment, isExecutable } from './environment.js';

/** The browser that draws HTML elements. */
export interface HtmlConfig {
  /** Absolute path of Chromium's headless shell; undefined if this host has none. */
  chromium: string | undefined;
  /** Memory limit of each Chromium process. */
  memoryMb: number;
}

/** The full browser is not listed: it cannot draw single frames on request. */
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
