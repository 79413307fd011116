import { expect } from 'vitest';
import type { RawAnswer } from './raw-http.js';

/** Text that no message may contain: stack traces, local paths, SQL, internal names of libraries. */
const inside =
  /\bat .+:\d+:\d+|node_modules|\/(?:tmp|work|home|usr|etc|root|var)\/|\.[cm]?[jt]s\b|SQLITE|\bselect\b.+\bfrom\b|\bTypeError\b|\bRangeError\b|FST_ERR|HPE_/i;

/** Expects a response below 500; an error has the common format and the rate headers and reveals no internals. */
export function expectAnswerOfOurs(answer: RawAnswer, about = ''): void {
  expect(answer.status, about).toBeGreaterThanOrEqual(200);
  expect(answer.status, about).toBeLessThan(500);
  for (const name of ['limit', 'remaining', 'reset']) expect(answer.headers[`x-ratelimit-${name}`], `${about}: ${name}`).toMatch(/^\d+$/);
  expect('retry-after' in answer.headers, about).toBe(answer.status === 429);
  expect(answer.headers['x-content-type-options'], about).toBe('nosniff');
  expect(answer.headers['x-powered-by'] ?? answer.headers.server, about).toBeUndefined();
  if (answer.status < 400 || answer.body === '') return;
  expect(answer.headers['content-type'], about).toBe('application/json; charset=utf-8');
  const { error, ...rest } = JSON.parse(answer.body) as { error: Record<string, unknown> };
  expect(rest, about).toEqual({});
  expect(error, about).toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/\S/) });
  expect(String(error.message), about).not.toMatch(inside);
}
