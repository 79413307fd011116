import type { SharedPlan } from '../bundle-store.js';
import { type FarmContext, segmentProgress } from '../context.js';
import type { LockedEntry } from '../queue/locked-entry.js';
import type { MovieEntry } from '../queue/render-queue.js';

/** Queues the segments that have no packets yet and parks the movie until they are done. */
export async function queueSegments(
  { bundles, queue, jobs: spread, log, onObservation }: FarmContext,
  entry: LockedEntry<MovieEntry>,
  layout: SharedPlan,
): Promise<void> {
  const { jobId, run, group, parts } = layout;
  await entry.update({ ...entry.data, step: 'stitch', group });
  const missing = await bundles.listMissing(layout);
  const wanted = new Set(missing);
  for (const { kind: part } of parts.filter((one) => !wanted.has(one))) onObservation?.({ kind: 'segment-cache', part, result: 'hit', bytes: 0 });
  const share = parts.reduce((sum, part) => sum + (wanted.has(part) ? 0 : part.share), 0);
  await spread.addProgress(jobId, run, share * (segmentProgress.end - segmentProgress.from), missing[0]?.stage ?? 'stitching');
  // Equal scenes share their packets: one host renders them.
  const once = missing.filter((part, index) => missing.findIndex(({ packets }) => packets === part.packets) === index);
  log.info({ job_id: jobId, parts: parts.length, missing: once.length, group }, 'segments of a movie are queued');
  if (once.length > 0) {
    await queue.addSegments(entry, run, group, once);
    if (await entry.waitForSegments()) return;
  }
  await entry.requeue();
  await queue.wake();
}
