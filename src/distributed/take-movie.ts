import { randomUUID } from 'node:crypto';
import { nameOutput, type OpenMovie, type SlotWork } from '../jobs/index.js';
import { type FarmContext, maxLosses } from './context.js';
import { failMovie } from './fail-movie.js';
import type { MovieTicket } from './farm-queue.js';
import type { Held } from './held.js';
import { LayoutWork } from './layout-work.js';
import { ownerOf, parseOwner } from './names.js';
import { StitchWork } from './stitch-work.js';

/** What a movie's ticket stands for now, by the word of the database. undefined: for nothing, and it is gone. */
export async function takeMovie(held: Held<MovieTicket>, context: FarmContext): Promise<SlotWork | undefined> {
  const movie = await context.spread.find(held.id);
  if (movie === undefined) {
    await context.bundles.remove(held.id);
    return drop(held);
  }
  const run = parseOwner(movie.leaseOwner)?.run;
  if (movie.status === 'queued') return beginMovie(held, context);
  // A process that knows nothing of the farm renders it whole.
  if (run === undefined) return drop(held);
  if (held.losses >= maxLosses) {
    const message = `The hosts that rendered this movie were lost ${maxLosses} times. Nothing was charged.`;
    await failMovie(context, { jobId: held.id, run }, { code: 'RENDER_FAILED', message });
    return drop(held);
  }
  return held.content.step === 'layout' ? layOutAgain(held, movie, context) : goOn(held, movie, run, context);
}

async function beginMovie(held: Held<MovieTicket>, context: FarmContext): Promise<SlotWork | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = ownerOf(name);
  const claimed = await context.leases.claimJob(held.id, owner, nameOutput);
  if (claimed === undefined) return drop(held);
  if (held.content.step !== 'layout') await held.rewrite({ ...held.content, step: 'layout' });
  context.log.info({ job_id: claimed.jobId, account_id: claimed.accountId, attempt: claimed.attempt }, 'a job starts');
  return new LayoutWork({ held, claimed, owner, run: name.run }, context);
}

/** The host that laid it out was lost. */
async function layOutAgain(held: Held<MovieTicket>, { jobId, leaseOwner }: OpenMovie, context: FarmContext): Promise<SlotWork | undefined> {
  const name = { run: randomUUID(), claim: randomUUID() };
  const owner = ownerOf(name);
  const adopted = await context.spread.adopt(jobId, leaseOwner ?? '', owner, nameOutput(jobId));
  if (adopted === undefined) return drop(held);
  context.log.warn({ job_id: jobId }, 'a job lost its host');
  return new LayoutWork({ held, claimed: adopted.claimed, owner, run: name.run }, context);
}

/** Its parts are done, or some of them are to be given out (again). */
async function goOn(held: Held<MovieTicket>, { jobId, leaseOwner }: OpenMovie, run: string, context: FarmContext): Promise<SlotWork | undefined> {
  const layout = await context.bundles.layoutOf(jobId, run);
  if (layout === undefined) {
    await held.rewrite({ ...held.content, step: 'layout' });
    const movie = await context.spread.find(jobId);
    return movie === undefined ? drop(held) : layOutAgain(held, movie, context);
  }
  const owner = ownerOf({ run, claim: randomUUID() });
  const adopted = await context.spread.adopt(jobId, leaseOwner ?? '', owner, nameOutput(jobId));
  if (adopted === undefined) return drop(held);
  return new StitchWork({ held, owner, run, ...adopted }, layout, context);
}

/** If there is something to be done all the same, the next look at the database makes a new one. */
async function drop(held: Held<MovieTicket>): Promise<undefined> {
  await held.complete();
  return undefined;
}
