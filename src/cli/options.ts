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

/** A commander parser for whole numbers in a range. */
export function integerOption(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,12}$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** A commander parser for names that end up in listings and logs. */
export function nameOption(text: string): string {
  const name = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out
  if (name === '' || name.length > 100 || /[\u0000-\u001f\u007f]/.test(name)) throw new InvalidArgumentError('It must have 1 to 100 printable characters.');
  return name;
}
