import { allOrNone } from '../all-or-none.js';

/**
 * Does one piece of work after another; the next one starts already when its predecessor says that it has begun in earnest, or, where it
 * `goesOn` with what that had in hand, when that is done. None starts after a failure.
 */
export async function oneAhead<T>(
  count: number,
  outer: AbortSignal,
  goesOn: (index: number) => boolean,
  start: (index: number, signal: AbortSignal, onBegun: () => void) => Promise<T>,
): Promise<T[]> {
  const begun: Promise<void>[] = [];
  const done: Promise<T>[] = [];
  return allOrNone(outer, (signal) => {
    for (let index = 0; index < count; ++index) {
      let onBegun = (): void => {};
      const before = [goesOn(index) ? done[index - 1] : begun[index - 1], done[index - 2]];
      const begins = new Promise<void>((resolve) => {
        onBegun = resolve;
      });
      const next = Promise.all(before).then(() => {
        signal.throwIfAborted();
        return start(index, signal, onBegun);
      });
      done.push(next);
      // What ends in a failure before it has begun never begins.
      begun.push(Promise.race([begins, next.then(() => {})]));
      begun[index]?.catch(() => {});
    }
    return done;
  });
}
