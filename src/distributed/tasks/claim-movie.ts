import { randomUUID } from 'node:crypto';
import { createOutputName, type OpenJob, type SlotTask } from '../../jobs/index.js';
import { type FarmContext, maxHostLosses } from '../context.js';
import { formatLeaseOwner, parseLeaseOwner } from '../names.js';
import type { LockedEntry } from '../queue/locked-entry.js';
import type { MovieEntry } from '../queue/render-queue.js';
import { failRun } from './fail-run.js';
import { PlanTask } from './plan-task.js';
import { StitchTask } from './stitch-task.js';

/** What a movie's ticket stands for now, by the word of the database. undefined: for nothing, and it is gone. */
export async function claimMovie(held: LockedEntry<MovieEntry>, context: FarmContext): Promise<SlotTask | undefined> {
  const movie = await context.jobs.find(held.id);
  if (movie === undefined) {
    await context.bundles.remove(held.id);
    return drop(held);
  }
  const run = parseLeaseOwner(movie.leaseOwner)?.run;
  if (movie.status === 'queued') return beginMovie(held, context);
  // A process that knows nothing of the farm renders it whole.
  if (run === undefined) return drop(held);
  if (held.hostLosses >= maxHostLosses) {
    const message = `The hosts that rendered this movie were lost ${maxHostLosses} times. Nothing was charged.`;
    await failRun(context, { jobId: held.id, run }, { code: 'RENDER_FAILED', message });
    return drop(held);
  }
  return held.data.step === 'layout' ? layOutAgain(held, movie, context) : goOn(held, movie, run, context);
}

async function beginMovie(held: LockedEntry<MovieEntry>, context: FarmContext): Promise<SlotTask | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(name);
  const claimed = await context.leases.claimJob(held.id, owner, createOutputName);
  if (claimed === undefined) return drop(held);
  if (held.data.step !== 'layout') await held.update({ ...held.data, step: 'layout' });
  context.log.info({ job_id: claimed.jobId, account_id: claimed.accountId, attempt: claimed.attempt }, 'a job starts');
  return new PlanTask({ held, claimed, owner, run: name.run }, context);
}

/** The host that laid it out was lost. */
async function layOutAgain(held: LockedEntry<MovieEntry>, { jobId, leaseOwner }: OpenJob, context: FarmContext): Promise<SlotTask | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(name);
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(held);
  context.log.warn({ job_id: jobId }, 'a job lost its host');
  return new PlanTask({ held, claimed: adopted.claimed, owner, run: name.run }, context);
}

/** Its parts are done, or some of them are to be given out (again). */
async function goOn(held: LockedEntry<MovieEntry>, { jobId, leaseOwner }: OpenJob, run: string, context: FarmContext): Promise<SlotTask | undefined> {
  const layout = await context.bundles.getPlan(jobId, run);
  if (layout === undefined) {
    await held.update({ ...held.data, step: 'layout' });
    const movie = await context.jobs.find(jobId);
    return movie === undefined ? drop(held) : layOutAgain(held, movie, context);
  }
  const owner = formatLeaseOwner({ run, claim: randomUUID() });
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(held);
  return new StitchTask({ held, owner, run, ...adopted }, layout, context);
}

/** If there is something to be done all the same, the next look at the database makes a new one. */
async function drop(held: LockedEntry<MovieEntry>): Promise<undefined> {
  await held.complete();
  return undefined;
}
