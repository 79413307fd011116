import { allOrNone } from './all-or-none.js';

/** What `work` makes of each item, in their order; no more than `most` are under way at a time. */
export async function fewAtOnce<Item, Made>(
  items: readonly Item[],
  most: number,
  outer: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Made>,
): Promise<Made[]> {
  const made = new Array<Made>(items.length);
  const left = items.entries();
  const takeTurns = async (signal: AbortSignal): Promise<void> => {
    for (const [index, item] of left) {
      signal.throwIfAborted();
      made[index] = await work(item, signal);
    }
  };
  await allOrNone(outer, (signal) => Array.from({ length: Math.min(most, items.length) }, () => takeTurns(signal)));
  return made;
}
