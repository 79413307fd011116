import { LeaseLostError } from '../../jobs/index.js';
import type { SharedPlan } from '../bundle-store.js';
import { type FarmContext, segmentProgress } from '../context.js';
import type { ClaimedTask } from '../queue/claimed-task.js';

/** Queues the segments that have no packets yet. When the last of them is done, the movie's own task is ready again. Throws LeaseLostError. */
export async function queueSegments(
  { bundles, queue, jobs: distributed, log, onObservation }: FarmContext,
  { key }: ClaimedTask,
  plan: SharedPlan,
): Promise<void> {
  const { jobId, run, group, parts: segments } = plan;
  const missing = await bundles.listMissing(plan);
  const missingSet = new Set(missing);
  for (const { kind: part } of segments.filter((segment) => !missingSet.has(segment)))
    onObservation?.({ kind: 'segment-cache', part, result: 'hit', bytes: 0 });
  const doneShare = segments.reduce((sum, segment) => sum + (missingSet.has(segment) ? 0 : segment.share), 0);
  await distributed.addProgress(jobId, run, doneShare * (segmentProgress.end - segmentProgress.from), missing[0]?.stage ?? 'stitching');
  // Equal scenes have the same packets, which are rendered once.
  const distinct = missing.filter((segment, index) => missing.findIndex(({ packets }) => packets === segment.packets) === index);
  if (!(await queue.store.queueSegments(key, run, group, distinct))) throw new LeaseLostError(jobId);
  log.info({ job_id: jobId, parts: segments.length, missing: distinct.length, group }, 'segments of a movie are queued');
  queue.wake(Math.max(1, distinct.length));
}
