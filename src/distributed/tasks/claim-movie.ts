import { randomUUID } from 'node:crypto';
import { createOutputName, type OpenJob, type SlotTask } from '../../jobs/index.js';
import { type FarmContext, maxHostLosses } from '../context.js';
import { formatLeaseOwner, parseLeaseOwner } from '../names.js';
import type { ClaimedTask } from '../queue/claimed-task.js';
import { failRun } from './fail-run.js';
import { PlanTask } from './plan-task.js';
import { StitchTask } from './stitch-task.js';

/** How long a movie waits whose job is locked (ms). */
const lockedDelayMs = 500;

/** Creates the next step of a claimed movie, which depends on the state of its job. Undefined if there is none; the task is then removed. */
export async function claimMovie(task: ClaimedTask, context: FarmContext): Promise<SlotTask | undefined> {
  const { jobId, hostLosses } = task.row;
  const movie = await context.jobs.find(jobId);
  if (movie === undefined) {
    await context.bundles.remove(jobId);
    return removeTask(task, context);
  }
  const run = parseLeaseOwner(movie.leaseOwner)?.run;
  if (movie.status === 'queued') return planMovie(task, context);
  // A process outside the render farm is rendering the whole movie.
  if (run === undefined) return removeTask(task, context);
  if (hostLosses >= maxHostLosses) {
    const message = `The hosts that rendered this movie were lost ${maxHostLosses} times. Nothing was charged.`;
    await failRun(context, { jobId, run }, { code: 'RENDER_FAILED', message });
    task.stopRenewing();
    return undefined;
  }
  return resumeMovie(task, movie, run, context);
}

/** Claims a queued job and plans it. */
async function planMovie(task: ClaimedTask, context: FarmContext): Promise<SlotTask | undefined> {
  const lease = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(lease);
  const claimed = await context.leases.claimJob(task.row.jobId, owner, createOutputName);
  // Another process has locked the job, or has just claimed it: the next claim tells which.
  if (claimed === undefined) return postpone(task, context);
  context.log.info({ job_id: claimed.jobId, account_id: claimed.accountId, attempt: claimed.attempt }, 'a job starts');
  return new PlanTask({ task, claimed, owner, run: lease.run }, context);
}

/** Plans a movie again because the host that planned it was lost. */
async function restartPlan(task: ClaimedTask, { jobId, leaseOwner }: OpenJob, context: FarmContext): Promise<SlotTask | undefined> {
  const lease = { run: randomUUID(), claim: randomUUID() };
  const owner = formatLeaseOwner(lease);
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return removeTask(task, context);
  context.log.warn({ job_id: jobId }, 'the host of a job was lost');
  return new PlanTask({ task, claimed: adopted.claimed, owner, run: lease.run }, context);
}

/** Continues a movie whose segments are done, or whose host was lost during a step. */
async function resumeMovie(task: ClaimedTask, movie: OpenJob, run: string, context: FarmContext): Promise<SlotTask | undefined> {
  const { jobId, leaseOwner } = movie;
  const plan = await context.bundles.getPlan(jobId, run);
  // The host was lost before it stored the plan.
  if (plan === undefined) return restartPlan(task, movie, context);
  const owner = formatLeaseOwner({ run, claim: randomUUID() });
  const adopted = await context.jobs.transferLease(jobId, leaseOwner ?? '', owner, createOutputName(jobId));
  if (adopted === undefined) return removeTask(task, context);
  return new StitchTask({ task, owner, run, ...adopted }, plan, context);
}

async function postpone(task: ClaimedTask, { queue }: FarmContext): Promise<undefined> {
  task.stopRenewing();
  await queue.store.requeue(task.key, { delayMs: lockedDelayMs });
  return undefined;
}

/** Removes a task. If its job is still open, maintenance adds a new one. */
async function removeTask(task: ClaimedTask, { queue }: FarmContext): Promise<undefined> {
  task.stopRenewing();
  await queue.store.remove(task.key);
  return undefined;
}
