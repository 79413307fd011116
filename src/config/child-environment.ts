import type { EnvironmentValues } from './environment.js';

/** This process's environment with some settings replaced, for a child process that is the service itself. */
export function childEnvironment(settings: Record<string, string>, values: EnvironmentValues = process.env): Record<string, string | undefined> {
  return { ...values, ...settings };
}
