import { InvalidArgumentError } from 'commander';

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
