import { randomUUID } from 'node:crypto';
import type { EncoderFailure } from '../../jobs/index.js';
import { createOutputName } from '../../jobs/index.js';
import type { FarmContext } from '../context.js';
import { formatLeaseOwner } from '../names.js';

/**
 * Restarts all segments of a movie with the software encoder after a hardware encoder failed, because segments of two
 * encoders cannot be stitched. Returns true if the restart is under way, by this call or another one.
 */
export async function switchEncoder(context: FarmContext, { jobId, run }: { jobId: string; run: string }, encoder: EncoderFailure): Promise<boolean> {
  const { bundles, jobs: spread, queue, log, onObservation } = context;
  const layout = await bundles.getPlan(jobId, run);
  const owner = await spread.findLeaseOwner(jobId, run);
  if (owner === undefined) return true;
  if (layout?.instead === undefined) return false;
  const { instead, ...rest } = layout;
  const next = randomUUID();
  const warning = `${encoder.name} gave out during the render; the video was encoded with ${instead.encoder} instead.`;
  await bundles.putPlan({ ...rest, ...instead, run: next, warnings: [...rest.warnings, warning] });
  const adopted = await spread.transferLease(jobId, owner, formatLeaseOwner({ run: next, claim: randomUUID() }), createOutputName(jobId));
  if (adopted === undefined) return true;
  onObservation?.({ kind: 'encoder-fallback', from: encoder.name, to: instead.encoder, reason: encoder.reason });
  log.warn(
    { job_id: jobId, from: encoder.name, to: instead.encoder, reason: encoder.reason },
    'a hardware encoder failed; restarting the segments in software',
  );
  // Segments of the old run are dropped when claimed; after the last one the movie is claimed again and queues the new ones.
  await queue.wake();
  return true;
}
