import { randomUUID } from 'node:crypto';
import { createOutputName, type OpenJob, type SlotTask } from '../../jobs/index.js';
import { type FarmContext, maxHostLosses } from '../context.js';
import { formatLeaseOwner, parseLeaseOwner } from '../names.js';
import type { LockedEntry } from '../queue/locked-entry.js';
import type { MovieEntry } from '../queue/render-queue.js';
import { failRun } from './fail-run.js';
import { PlanTask } from './plan-task.js';
import { StitchTask } from './stitch-task.js';

/** Creates the task that a movie's queue entry stands for, according to the database. Undefined if there is none: the entry is dropped. */
export async function claimMovie(held: LockedEntry<MovieEntry>, context: FarmContext): Promise<SlotTask | undefined> {
  const movie = await context.jobs.find(held.id);
  if (movie === undefined) {
    await context.bundles.remove(held.id);
    return drop(held);
  }
  const run = parseLeaseOwner(movie.leaseOwner)?.run;
  if (movie.status === 'queued') return beginMovie(held, context);
  // A process outside the render farm renders it whole.
  if (run === undefined) return drop(held);
  if (held.hostLosses >= maxHostLosses) {
    const message = `The hosts that rendered this movie were lost ${maxHostLosses} times. Nothing was charged.`;
    await failRun(context, { jobId: held.id, run }, { code: 'RENDER_FAILED', message });
    return drop(held);
  }
  return held.data.step === 'layout' ? restartPlan(held, movie, context) : resumeMovie(held, movie, run, context);
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

/** The host that planned the movie was lost. */
async function restartPlan(held: LockedEntry<MovieEntry>, { jobId, leaseOwner }: OpenJob, context: FarmContext): Promise<SlotTask | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(name);
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(held);
  context.log.warn({ job_id: jobId }, 'the host of a job was lost');
  return new PlanTask({ held, claimed: adopted.claimed, owner, run: name.run }, context);
}

/** The segments are done, or some must be queued (again). */
async function resumeMovie(held: LockedEntry<MovieEntry>, { jobId, leaseOwner }: OpenJob, run: string, context: FarmContext): Promise<SlotTask | undefined> {
  const layout = await context.bundles.getPlan(jobId, run);
  if (layout === undefined) {
    await held.update({ ...held.data, step: 'layout' });
    const movie = await context.jobs.find(jobId);
    return movie === undefined ? drop(held) : restartPlan(held, movie, context);
  }
  const owner = formatLeaseOwner({ run, claim: randomUUID() });
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(held);
  return new StitchTask({ held, owner, run, ...adopted }, layout, context);
}

/** Drops an entry. If work remains, the reconciler adds a new one. */
async function drop(held: LockedEntry<MovieEntry>): Promise<undefined> {
  await held.complete();
  return undefined;
}
