import { randomUUID } from 'node:crypto';
import type { EncoderFailure } from '../../jobs/index.js';
import { createOutputName } from '../../jobs/index.js';
import type { FarmContext } from '../context.js';
import { formatLeaseOwner } from '../names.js';

/**
 * Hardware gave out under a part: all parts of the movie are given out again for the processor, as segments of two encoders
 * do not go into one file. True: that is under way, by this call or another part's.
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
  log.warn({ job_id: jobId, from: encoder.name, to: instead.encoder, reason: encoder.reason }, 'a hardware encoder gave out: the parts are given out anew');
  // The parts of the run before are dropped when they are looked at; with the last of them the movie comes up again, and gives out those of this one.
  await queue.wake();
  return true;
}
