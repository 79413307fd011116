import { expect } from 'vitest';
import type { RawAnswer } from './raw-http.js';

/** What no message may hold: a stack, a path of this machine, a query, a name from inside a library. */
const inside =
  /\bat .+:\d+:\d+|node_modules|\/(?:tmp|work|home|usr|etc|root|var)\/|\.[cm]?[jt]s\b|SQLITE|\bselect\b.+\bfrom\b|\bTypeError\b|\bRangeError\b|FST_ERR|HPE_/i;

/** An answer of ours: not an error of the service, and if an error, in the one shape, with the rate headers and nothing of the inside. */
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
