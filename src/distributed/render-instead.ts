import { randomUUID } from 'node:crypto';
import type { LostEncoder } from '../jobs/index.js';
import { nameOutput } from '../jobs/index.js';
import type { FarmContext } from './context.js';
import { ownerOf } from './names.js';

/**
 * Hardware gave out under a part: all parts of the movie are given out again for the processor, as segments of two encoders
 * do not go into one file. True: that is under way, by this call or another part's.
 */
export async function renderInstead(context: FarmContext, { jobId, run }: { jobId: string; run: string }, encoder: LostEncoder): Promise<boolean> {
  const { bundles, spread, queue, log, onObservation } = context;
  const layout = await bundles.layoutOf(jobId, run);
  const owner = await spread.ownerOf(jobId, run);
  if (owner === undefined) return true;
  if (layout?.instead === undefined) return false;
  const { instead, ...rest } = layout;
  const next = randomUUID();
  const warning = `${encoder.name} gave out during the render; the video was encoded with ${instead.encoder} instead.`;
  await bundles.keepLayout({ ...rest, ...instead, run: next, warnings: [...rest.warnings, warning] });
  const adopted = await spread.adopt(jobId, owner, ownerOf({ run: next, claim: randomUUID() }), nameOutput(jobId));
  if (adopted === undefined) return true;
  onObservation?.({ kind: 'encoder-fallback', from: encoder.name, to: instead.encoder, reason: encoder.reason });
  log.warn({ job_id: jobId, from: encoder.name, to: instead.encoder, reason: encoder.reason }, 'a hardware encoder gave out: the parts are given out anew');
  // The parts of the run before are dropped when they are looked at; with the last of them the movie comes up again, and gives out those of this one.
  await queue.wake();
  return true;
}
