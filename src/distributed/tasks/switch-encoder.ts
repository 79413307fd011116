import { randomUUID } from 'node:crypto';
import type { EncoderFailure } from '../../jobs/index.js';
import { createOutputName } from '../../jobs/index.js';
import type { FarmContext } from '../context.js';
import { formatLeaseOwner } from '../names.js';

/**
 * Restarts all segments of a movie with the software encoder after a hardware encoder failed, because segments of two
 * encoders cannot be stitched. Returns true if this call or another one has started the restart, or if the run has ended.
 */
export async function switchEncoder(context: FarmContext, { jobId, run }: { jobId: string; run: string }, encoder: EncoderFailure): Promise<boolean> {
  const { bundles, jobs: distributed, queue, log, onObservation } = context;
  const plan = await bundles.getPlan(jobId, run);
  const owner = await distributed.findLeaseOwner(jobId, run);
  if (owner === undefined) return true;
  if (plan?.instead === undefined) return false;
  const { instead, ...rest } = plan;
  const nextRun = randomUUID();
  const warning = `${encoder.name} gave out during the render; the video was encoded with ${instead.encoder} instead.`;
  await bundles.putPlan({ ...rest, ...instead, run: nextRun, warnings: [...rest.warnings, warning] });
  const nextOwner = formatLeaseOwner({ run: nextRun, claim: randomUUID() });
  // The segments of the old run are removed; the movie is claimed again and queues the new ones.
  const adopted = await distributed.transferLease(jobId, owner, nextOwner, createOutputName(jobId), (trx) => queue.store.restart(trx, jobId));
  if (adopted === undefined) return true;
  onObservation?.({ kind: 'encoder-fallback', from: encoder.name, to: instead.encoder, reason: encoder.reason });
  log.warn(
    { job_id: jobId, from: encoder.name, to: instead.encoder, reason: encoder.reason },
    'a hardware encoder failed; restarting the segments in software',
  );
  queue.wake(1);
  return true;
}
