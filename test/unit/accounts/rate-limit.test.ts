import { expect, it } from 'vitest';
import { RateLimiter } from '../../../src/accounts/index.js';
import { ManualClock } from '../../support/accounting.js';

it('allows the limit within 60 seconds from the first request and refuses the rest', () => {
  const clock = new ManualClock();
  const limiter = new RateLimiter(clock);
  const resetAt = clock.wallMs / 1000 + 60;
  expect(limiter.take('a', 3)).toEqual({ allowed: true, limit: 3, remaining: 2, resetAt, retryAfterSeconds: 60 });
  clock.advance(10_000);
  expect(limiter.take('a', 3)).toMatchObject({ allowed: true, remaining: 1, resetAt });
  expect(limiter.take('a', 3)).toMatchObject({ allowed: true, remaining: 0 });
  clock.advance(49_500);
  expect(limiter.take('a', 3)).toEqual({ allowed: false, limit: 3, remaining: 0, resetAt, retryAfterSeconds: 1 });
  clock.advance(500);
  expect(limiter.take('a', 3)).toMatchObject({ allowed: true, remaining: 2, resetAt: clock.wallMs / 1000 + 60 });
});

it('counts each caller separately', () => {
  const limiter = new RateLimiter(new ManualClock());
  limiter.take('a', 1);
  expect(limiter.take('a', 1).allowed).toBe(false);
  expect(limiter.take('b', 1).allowed).toBe(true);
});

it('ignores jumps of the wall clock', () => {
  const clock = new ManualClock();
  const limiter = new RateLimiter(clock);
  limiter.take('a', 1);
  clock.wallMs += 3_600_000;
  expect(limiter.take('a', 1).allowed).toBe(false);
  clock.wallMs -= 7_200_000;
  clock.monotonicMs += 60_000;
  expect(limiter.take('a', 1).allowed).toBe(true);
});

it('bounds the number of windows and limits further callers in a shared one', () => {
  const clock = new ManualClock();
  const limiter = new RateLimiter(clock);
  for (let index = 0; index < 100_000; index += 1) limiter.take(`address ${index}`, 5);
  const results = Array.from({ length: 6 }, (_, index) => limiter.take(`late ${index}`, 5).allowed);
  expect(results).toEqual([true, true, true, true, true, false]);
  expect(limiter.take('address 7', 5).remaining).toBe(3);
  clock.advance(60_000);
  expect(limiter.take('late 0', 5)).toMatchObject({ allowed: true, remaining: 4 });
});
