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
export async function claimMovie(entry: LockedEntry<MovieEntry>, context: FarmContext): Promise<SlotTask | undefined> {
  const movie = await context.jobs.find(entry.id);
  if (movie === undefined) {
    await context.bundles.remove(entry.id);
    return drop(entry);
  }
  const run = parseLeaseOwner(movie.leaseOwner)?.run;
  if (movie.status === 'queued') return beginMovie(entry, context);
  // A process outside the render farm renders it whole.
  if (run === undefined) return drop(entry);
  if (entry.hostLosses >= maxHostLosses) {
    const message = `The hosts that rendered this movie were lost ${maxHostLosses} times. Nothing was charged.`;
    await failRun(context, { jobId: entry.id, run }, { code: 'RENDER_FAILED', message });
    return drop(entry);
  }
  return entry.data.step === 'layout' ? restartPlan(entry, movie, context) : resumeMovie(entry, movie, run, context);
}

async function beginMovie(entry: LockedEntry<MovieEntry>, context: FarmContext): Promise<SlotTask | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(name);
  const claimed = await context.leases.claimJob(entry.id, owner, createOutputName);
  if (claimed === undefined) return drop(entry);
  if (entry.data.step !== 'layout') await entry.update({ ...entry.data, step: 'layout' });
  context.log.info({ job_id: claimed.jobId, account_id: claimed.accountId, attempt: claimed.attempt }, 'a job starts');
  return new PlanTask({ entry, claimed, owner, run: name.run }, context);
}

/** The host that planned the movie was lost. */
async function restartPlan(entry: LockedEntry<MovieEntry>, { jobId, leaseOwner }: OpenJob, context: FarmContext): Promise<SlotTask | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(name);
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(entry);
  context.log.warn({ job_id: jobId }, 'the host of a job was lost');
  return new PlanTask({ entry, claimed: adopted.claimed, owner, run: name.run }, context);
}

/** The segments are done, or some must be queued (again). */
async function resumeMovie(entry: LockedEntry<MovieEntry>, { jobId, leaseOwner }: OpenJob, run: string, context: FarmContext): Promise<SlotTask | undefined> {
  const layout = await context.bundles.getPlan(jobId, run);
  if (layout === undefined) {
    await entry.update({ ...entry.data, step: 'layout' });
    const movie = await context.jobs.find(jobId);
    return movie === undefined ? drop(entry) : restartPlan(entry, movie, context);
  }
  const owner = formatLeaseOwner({ run, claim: randomUUID() });
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(entry);
  return new StitchTask({ entry, owner, run, ...adopted }, layout, context);
}

/** Drops an entry. If work remains, the reconciler adds a new one. */
async function drop(entry: LockedEntry<MovieEntry>): Promise<undefined> {
  await entry.complete();
  return undefined;
}
