import type { SharedPlan } from '../bundle-store.js';
import { type FarmContext, segmentProgress } from '../context.js';
import type { LockedEntry } from '../queue/locked-entry.js';
import type { MovieEntry } from '../queue/render-queue.js';

/** Gives out the parts of which there are no packets yet, and lets go of the movie until they are there. */
export async function queueSegments(
  { bundles, queue, jobs: spread, log, onObservation }: FarmContext,
  held: LockedEntry<MovieEntry>,
  layout: SharedPlan,
): Promise<void> {
  const { jobId, run, group, parts } = layout;
  await held.update({ ...held.data, step: 'stitch', group });
  const missing = await bundles.listMissing(layout);
  const wanted = new Set(missing);
  for (const { kind: part } of parts.filter((one) => !wanted.has(one))) onObservation?.({ kind: 'segment-cache', part, result: 'hit', bytes: 0 });
  const share = parts.reduce((sum, part) => sum + (wanted.has(part) ? 0 : part.share), 0);
  await spread.addProgress(jobId, run, share * (segmentProgress.end - segmentProgress.from), missing[0]?.stage ?? 'stitching');
  // The same scene may stand in a movie twice: one host renders it.
  const once = missing.filter((part, index) => missing.findIndex(({ packets }) => packets === part.packets) === index);
  log.info({ job_id: jobId, parts: parts.length, missing: once.length, group }, 'the parts of a movie are given out');
  if (once.length > 0) {
    await queue.addSegments(held, run, group, once);
    if (await held.waitForSegments()) return;
  }
  await held.requeue();
  await queue.wake();
}
