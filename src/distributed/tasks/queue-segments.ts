import { LeaseLostError } from '../../jobs/index.js';
import type { SharedPlan } from '../bundle-store.js';
import { type FarmContext, segmentProgress } from '../context.js';
import type { ClaimedTask } from '../queue/claimed-task.js';

/** Queues the segments that have no packets yet; the movie is ready to be stitched after the last of them. Throws LeaseLostError. */
export async function queueSegments(
  { bundles, queue, jobs: distributed, log, onObservation }: FarmContext,
  { key }: ClaimedTask,
  layout: SharedPlan,
): Promise<void> {
  const { jobId, run, group, parts } = layout;
  const missing = await bundles.listMissing(layout);
  const wanted = new Set(missing);
  for (const { kind: part } of parts.filter((one) => !wanted.has(one))) onObservation?.({ kind: 'segment-cache', part, result: 'hit', bytes: 0 });
  const share = parts.reduce((sum, part) => sum + (wanted.has(part) ? 0 : part.share), 0);
  await distributed.addProgress(jobId, run, share * (segmentProgress.end - segmentProgress.from), missing[0]?.stage ?? 'stitching');
  // Equal scenes share their packets: one host renders them.
  const once = missing.filter((part, index) => missing.findIndex(({ packets }) => packets === part.packets) === index);
  if (!(await queue.store.queueSegments(key, run, group, once))) throw new LeaseLostError(jobId);
  log.info({ job_id: jobId, parts: parts.length, missing: once.length, group }, 'segments of a movie are queued');
  queue.wake(Math.max(1, once.length));
}
