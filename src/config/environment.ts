import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** An invalid setting. The message is one line: the variable, its value, and what is allowed. */
export class ConfigError extends Error {
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(`${variable}: ${message}`);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}

export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

/** Old names of variables, which keep working. */
const renamedVariables = [{ from: 'FRAMEWRIGHT_HANDOVER', to: 'FRAMEWRIGHT_INTEROP' }];

/** Typed access to environment variables. An empty value counts as unset, like `NAME=` in a compose file. */
export class Environment {
  readonly #values: Record<string, string | undefined>;

  constructor(values: EnvironmentValues) {
    this.#values = { ...values };
    for (const { from, to } of renamedVariables) this.#rename(from, to);
  }

  /** The trimmed value, or undefined if it is unset or empty. */
  text(name: string): string | undefined {
    const value = this.#values[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  integer(name: string, fallback: number, range: { min: number; max: number }): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < range.min || value > range.max) {
      throw new ConfigError(name, `"${text}" is not a whole number from ${range.min} to ${range.max}`);
    }
    return value;
  }

  /** A number with up to three decimals. */
  decimal(name: string, fallback: number, range: { min: number; max: number }): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d{1,9}(\.\d{1,3})?$/.test(text) || value < range.min || value > range.max) {
      throw new ConfigError(name, `"${text}" is not a number from ${range.min} to ${range.max} with up to three decimals`);
    }
    return value;
  }

  oneOf<T extends string>(name: string, fallback: T, allowed: readonly T[]): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new ConfigError(name, `"${text}" is not one of ${allowed.join(', ')}`);
    return found;
  }

  /** Comma-separated items, trimmed, without empty ones. */
  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  /** Absolute path of the first of these programs that is in a folder of PATH; undefined if none is. */
  findProgram(programs: readonly string[]): string | undefined {
    const folders = (this.text('PATH') ?? '').split(delimiter).filter(isAbsolute);
    return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(isExecutable);
  }

  /** The variables whose names the predicate accepts, for a child process. */
  select(accepts: (name: string) => boolean): Record<string, string> {
    const selected: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.#values)) {
      if (value !== undefined && accepts(name)) selected[name] = value;
    }
    return selected;
  }

  /** Child processes get the new name, so that only one process warns. */
  #rename(from: string, to: string): void {
    const value = this.text(from);
    delete this.#values[from];
    if (value === undefined) return;
    this.#values[to] = this.text(to) ?? value;
    process.emitWarning(`The environment variable ${from} is deprecated. Set ${to} instead.`, 'DeprecationWarning');
  }
}

/** Whether a file exists and may be executed by this process. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** This process's environment with some variables replaced, for a child process that is the service itself. */
export function childEnvironment(settings: Record<string, string>, values: EnvironmentValues = process.env): Record<string, string | undefined> {
  return { ...values, ...settings };
}
