import { InvalidArgumentError } from 'commander';

/** A commander parser for whole numbers in a range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,12}$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** A commander parser for names that end up in listings and logs. */
export function plainName(text: string): string {
  const name = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out
  if (name === '' || name.length > 100 || /[\u0000-\u001f\u007f]/.test(name)) throw new InvalidArgumentError('It must have 1 to 100 printable characters.');
  return name;
}
