import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { CacheConfig } from '../config/index.js';

/** Returns a commander parser for numbers in a range. */
export function numberOption(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Folder for `--cache FOLDER`, false for `--no-cache`, else the configured folder. */
export function cacheFolder(option: string | boolean | undefined, config: CacheConfig): string | false {
  if (option === false) return false;
  return typeof option === 'string' ? resolve(option) : (config.commandLineDir ?? false);
}

/** Returns a commander parser for whole numbers in a range. */
export function integerOption(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,12}$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Commander parser for account names, which are printed in listings and logs. */
export function nameOption(text: string): string {
  const name = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
  if (name === '' || name.length > 100 || /[\u0000-\u001f\u007f]/.test(name)) throw new InvalidArgumentError('It must have 1 to 100 printable characters.');
  return name;
}
