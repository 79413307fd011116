import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { CacheConfig } from '../config/index.js';

/** A parser for numeric options that says what is allowed. */
export function numberOption(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= minimum && value <= maximum)) {
      throw new InvalidArgumentError(`must be a number from ${minimum} to ${maximum}.`);
    }
    return value;
  };
}

/** The folder that `--cache FOLDER` and `--no-cache` stand for; the configured one without them. */
export function cacheFolder(option: string | boolean | undefined, config: CacheConfig): string | false {
  if (option === false) return false;
  return typeof option === 'string' ? resolve(option) : (config.commandLineDir ?? false);
}
