/** A setting that this version cannot work with. The message is one line: variable, what it holds, what is allowed. */
export class ConfigError extends Error {
  readonly variable: string;

  constructor(variable: string, message: string) {
    super(`${variable}: ${message}`);
    this.name = 'ConfigError';
    this.variable = variable;
  }
}

export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

/** Typed reading of environment variables. An empty value counts as absent, as in a compose file with `NAME=`. */
export class Environment {
  readonly #values: EnvironmentValues;

  constructor(values: EnvironmentValues) {
    this.#values = values;
  }

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

  oneOf<T extends string>(name: string, fallback: T, allowed: readonly T[]): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new ConfigError(name, `"${text}" is not one of ${allowed.join(', ')}`);
    return found;
  }

  /** Comma-separated items, trimmed, empty ones dropped. */
  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  /** The variables whose names the test accepts, for a child process. */
  select(accepts: (name: string) => boolean): Record<string, string> {
    const selected: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.#values)) {
      if (value !== undefined && accepts(name)) selected[name] = value;
    }
    return selected;
  }
}
