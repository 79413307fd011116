import { allOrAbort } from './all-or-abort.js';

export interface TaskOrder {
  count: number;
  /** So many pieces are in hand at most that have begun in earnest; one more gets ready. */
  maxParallel: number;
  /** Whether a piece takes over what its predecessor has in hand, and so follows its end. */
  continuesPrevious: (index: number) => boolean;
}

/**
 * Starts pieces of work in their order, each when its predecessor says that it has begun in earnest: whoever does the work decides so how many
 * are under way, and one alone gets ready for its turn. None starts after a failure.
 */
export async function startInOrder<T>(
  { count, maxParallel: atOnce, continuesPrevious: goesOn }: TaskOrder,
  outer: AbortSignal,
  start: (index: number, signal: AbortSignal, onBegun: () => void) => Promise<T>,
): Promise<T[]> {
  const begun: Promise<unknown>[] = [];
  const done: Promise<T>[] = [];
  const underWay = new Set<Promise<T>>();
  /** What ends without having begun, because it was there already, makes room in any order. */
  const room = async (): Promise<void> => {
    while (underWay.size > atOnce) await Promise.race(underWay);
  };
  return allOrAbort(outer, (signal) => {
    for (let index = 0; index < count; ++index) {
      let onBegun = (): void => {};
      const begins = new Promise<void>((resolve) => {
        onBegun = resolve;
      });
      const next = Promise.resolve(goesOn(index) ? done[index - 1] : begun[index - 1])
        .then(room)
        .then(() => {
          signal.throwIfAborted();
          const work = start(index, signal, onBegun).finally(() => underWay.delete(work));
          underWay.add(work);
          return work;
        });
      done.push(next);
      // What ends in a failure before it has begun never begins.
      begun.push(Promise.race([begins, next]));
      begun[index]?.catch(() => {});
    }
    return done;
  });
}
