import { ConfigError, type Environment } from './environment.js';

/** Retries of webhooks. */
export interface WebhooksConfig {
  /** Delay before each retry, in ms; the count is the number of retries. */
  retryDelaysMs: readonly number[];
}

const variable = 'FRAMEWRIGHT_WEBHOOK_RETRY_DELAYS';
const maxDelays = 20;
const maxSeconds = 604_800;

export function parseWebhooksConfig(environment: Environment): WebhooksConfig {
  const items = (environment.text(variable) ?? '30,120,600').split(',').map((item) => item.trim());
  if (items.length > maxDelays) throw new ConfigError(variable, `${items.length} delays exceed the maximum of ${maxDelays}`);
  return Object.freeze({ retryDelaysMs: Object.freeze(items.map(parseDelay)) });
}

function parseDelay(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || seconds > maxSeconds) {
    throw new ConfigError(variable, `"${text}" is not a number of seconds from 0 to ${maxSeconds} (comma-separated, such as 30,120,600)`);
  }
  return Math.round(seconds * 1000);
}
