import type { SharedLayout } from './bundle.js';
import { type FarmContext, partsProgress } from './context.js';
import type { MovieTicket } from './farm-queue.js';
import type { Held } from './held.js';

/** Gives out the parts of which there are no packets yet, and lets go of the movie until they are there. */
export async function spreadParts({ bundles, queue, spread, log, onObservation }: FarmContext, held: Held<MovieTicket>, layout: SharedLayout): Promise<void> {
  const { jobId, run, group, parts } = layout;
  await held.rewrite({ ...held.content, step: 'stitch', group });
  const missing = await bundles.missing(layout);
  const wanted = new Set(missing);
  for (const { kind: part } of parts.filter((one) => !wanted.has(one))) onObservation?.({ kind: 'segment-cache', part, result: 'hit', bytes: 0 });
  const share = parts.reduce((sum, part) => sum + (wanted.has(part) ? 0 : part.share), 0);
  await spread.advance(jobId, run, share * (partsProgress.end - partsProgress.from), missing[0]?.stage ?? 'stitching');
  // The same scene may stand in a movie twice: one host renders it.
  const once = missing.filter((part, index) => missing.findIndex(({ packets }) => packets === part.packets) === index);
  log.info({ job_id: jobId, parts: parts.length, missing: once.length, group }, 'the parts of a movie are given out');
  if (once.length > 0) {
    await queue.addParts(held, run, group, once);
    if (await held.awaitParts()) return;
  }
  await held.putBack();
  await queue.wake();
}
