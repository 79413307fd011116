import { randomUUID } from 'node:crypto';
import { createOutputName, type OpenJob, type SlotTask } from '../../jobs/index.js';
import { type FarmContext, maxHostLosses } from '../context.js';
import { formatLeaseOwner, parseLeaseOwner } from '../names.js';
import type { ClaimedTask } from '../queue/claimed-task.js';
import { failRun } from './fail-run.js';
import { PlanTask } from './plan-task.js';
import { StitchTask } from './stitch-task.js';

/** Creates the work that a movie's task stands for, according to its job. Undefined if there is none: the task is removed. */
export async function claimMovie(task: ClaimedTask, context: FarmContext): Promise<SlotTask | undefined> {
  const { jobId, hostLosses } = task.row;
  const movie = await context.jobs.find(jobId);
  if (movie === undefined) {
    await context.bundles.remove(jobId);
    return drop(task, context);
  }
  const run = parseLeaseOwner(movie.leaseOwner)?.run;
  if (movie.status === 'queued') return beginMovie(task, context);
  // A process outside the render farm renders it whole.
  if (run === undefined) return drop(task, context);
  if (hostLosses >= maxHostLosses) {
    const message = `The hosts that rendered this movie were lost ${maxHostLosses} times. Nothing was charged.`;
    await failRun(context, { jobId, run }, { code: 'RENDER_FAILED', message });
    task.stopRenewing();
    return undefined;
  }
  return resumeMovie(task, movie, run, context);
}

async function beginMovie(task: ClaimedTask, context: FarmContext): Promise<SlotTask | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(name);
  const claimed = await context.leases.claimJob(task.row.jobId, owner, createOutputName);
  if (claimed === undefined) return drop(task, context);
  context.log.info({ job_id: claimed.jobId, account_id: claimed.accountId, attempt: claimed.attempt }, 'a job starts');
  return new PlanTask({ task, claimed, owner, run: name.run }, context);
}

/** The host that planned the movie was lost. */
async function restartPlan(task: ClaimedTask, { jobId, leaseOwner }: OpenJob, context: FarmContext): Promise<SlotTask | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(name);
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(task, context);
  context.log.warn({ job_id: jobId }, 'the host of a job was lost');
  return new PlanTask({ task, claimed: adopted.claimed, owner, run: name.run }, context);
}

/** The segments are done, or a host was lost and its step is done again. */
async function resumeMovie(task: ClaimedTask, movie: OpenJob, run: string, context: FarmContext): Promise<SlotTask | undefined> {
  const { jobId, leaseOwner } = movie;
  const layout = await context.bundles.getPlan(jobId, run);
  // Its host was lost before the plan was stored.
  if (layout === undefined) return restartPlan(task, movie, context);
  const owner = formatLeaseOwner({ run, claim: randomUUID() });
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return drop(task, context);
  return new StitchTask({ task, owner, run, ...adopted }, layout, context);
}

/** Removes a task. If work remains, maintenance adds a new one. */
async function drop(task: ClaimedTask, { queue }: FarmContext): Promise<undefined> {
  task.stopRenewing();
  await queue.store.remove(task.key);
  return undefined;
}
