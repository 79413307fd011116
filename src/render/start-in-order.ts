import { allOrAbort } from './all-or-abort.js';

/** How many tasks run in parallel, and which ones must wait for their predecessor. */
interface TaskOrder {
  count: number;
  /** Maximum number of tasks that have begun; one more may prepare itself. */
  maxParallel: number;
  /** Whether a task reuses state of its predecessor, and therefore starts after the predecessor has finished. */
  continuesPrevious: (index: number) => boolean;
}

/**
 * Starts tasks in order, each when its predecessor has called `onBegun`; so the engine decides how many run in parallel, and only one
 * more prepares itself. The first failure aborts the running tasks and prevents further starts. Returns the results in order.
 */
export async function startInOrder<T>(
  { count, maxParallel, continuesPrevious }: TaskOrder,
  outer: AbortSignal,
  start: (index: number, signal: AbortSignal, onBegun: () => void) => Promise<T>,
): Promise<T[]> {
  const begun: Promise<unknown>[] = [];
  const done: Promise<T>[] = [];
  const running = new Set<Promise<T>>();
  /** Tasks that finish without having begun (cache hits) free their slot in any order. */
  const freeSlot = async (): Promise<void> => {
    while (running.size > maxParallel) await Promise.race(running);
  };
  return allOrAbort(outer, (signal) => {
    for (let index = 0; index < count; ++index) {
      let onBegun = (): void => {};
      const begins = new Promise<void>((resolve) => {
        onBegun = resolve;
      });
      const next = Promise.resolve(continuesPrevious(index) ? done[index - 1] : begun[index - 1])
        .then(freeSlot)
        .then(() => {
          signal.throwIfAborted();
          const work = start(index, signal, onBegun).finally(() => running.delete(work));
          running.add(work);
          return work;
        });
      done.push(next);
      // After a failure no successor starts; the error reaches the caller through `done`, not through this promise.
      begun.push(Promise.race([begins, next]));
      begun[index]?.catch(() => {});
    }
    return done;
  });
}
