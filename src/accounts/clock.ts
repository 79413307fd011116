/** Time as an argument: `now` is the wall clock in epoch milliseconds, `monotonic` never jumps. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
