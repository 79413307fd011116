/** An injected clock: `now` is the wall clock in Unix ms, `monotonic` is in ms and never jumps. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
