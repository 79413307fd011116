import fc from 'fast-check';
import { expect } from 'vitest';
import { type Caller, findImbalances } from '../../src/accounts/index.js';
import { AppError } from '../../src/errors/index.js';
import { type Job, LeaseLostError } from '../../src/jobs/index.js';
import type { LedgerModel, ModelJob, ModelSubmission, Outcome } from './ledger-model.js';
import type { RealLedger } from './real-ledger.js';

type Step = (model: LedgerModel, real: RealLedger) => Promise<void>;

/** One step of a history: done to both, then both must say the same. */
class Command implements fc.AsyncCommand<LedgerModel, RealLedger> {
  readonly #name: string;
  readonly #step: Step;

  constructor(name: string, step: Step) {
    this.#name = name;
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  async run(model: LedgerModel, real: RealLedger): Promise<void> {
    await this.#step(model, real);
    await compare(model, real);
  }

  toString(): string {
    return this.#name;
  }
}

const command = (name: string, info: unknown, step: Step): Command => new Command(`${name} ${JSON.stringify(info)}`, step);

const account = fc.nat({ max: 1 });
const mode = fc.constantFrom('live' as const, 'live' as const, 'test' as const);
const once = fc.record({ key: fc.constantFrom('a', 'b'), fingerprint: fc.constantFrom('x', 'x', 'y') });
const rarely = fc.integer({ min: 0, max: 9 }).map((value) => value === 9);
const submission = fc.record({ mode, estimate: fc.nat({ max: 12 }), once: fc.option(once, { nil: undefined, freq: 2 }) });

/** Several arrive together and share a commit; each must fare as if they had come one after the other. */
const submit = fc.tuple(account, fc.array(submission, { minLength: 1, maxLength: 4 }), rarely).map(([index, submissions, broken]) =>
  command('submit', { index, submissions, broken }, async (model, real) => {
    real.broken = broken;
    const callers = await Promise.all(submissions.map(({ mode }) => real.accounts.findCaller(real.keys[index]?.[mode] ?? '')));
    const outcomes = await Promise.all(submissions.map((wanted, place) => submitReally(real, callers[place], wanted)));
    real.broken = false;
    for (const [place, outcome] of outcomes.entries()) {
      const jobId = typeof outcome === 'string' ? 'none' : outcome.jobId;
      const wanted: ModelSubmission = { ...(submissions[place] as (typeof submissions)[number]), broken };
      expect(outcome).toEqual(model.submit(index, wanted, real.clock.now(), jobId));
    }
  }),
);

async function submitReally(real: RealLedger, caller: Caller | undefined, wanted: Omit<ModelSubmission, 'broken'>): Promise<Outcome> {
  if (caller === undefined) return 'UNAUTHORIZED';
  try {
    return await real.jobs.submit({ caller, script: {}, estimatedCredits: wanted.estimate, idempotency: wanted.once });
  } catch (error) {
    if (error instanceof AppError) return error.code;
    return (error as Error).message;
  }
}

let owners = 0;
const claim = mode.map((kind) =>
  command('claim', kind, async (model, real) => {
    owners += 1;
    const owner = `owner ${owners}`;
    const leased = await real.leases.claim(kind, owner, (id) => `${id}.mp4`);
    expect(leased?.jobId).toBe(model.claim(kind, owner, real.clock.now()));
  }),
);

/** Something happens to one of the jobs in hand, if there is one; a stranger to the lease tries the same first, in vain. */
function onJob<ModelInfo>(
  name: string,
  info: fc.Arbitrary<ModelInfo>,
  real: (ledger: RealLedger, job: ModelJob, owner: string, info: ModelInfo) => Promise<unknown>,
  model: (ledger: LedgerModel, job: ModelJob, info: ModelInfo, answer: unknown) => void,
) {
  return fc.tuple(fc.nat({ max: 5 }), info, rarely).map(([nth, given, broken]) =>
    command(name, { nth, given, broken }, async (ledger, store) => {
      const job = ledger.processing[nth % Math.max(1, ledger.processing.length)];
      if (job === undefined) return;
      await expect(real(store, job, 'a stranger', given)).rejects.toBeInstanceOf(LeaseLostError);
      store.broken = broken;
      const { owner } = job;
      const result = await real(store, job, owner, given).catch((error: unknown) => error);
      store.broken = false;
      // It broke in the middle: nothing may have happened.
      if (result instanceof Error) {
        expect(result.message).toBe('broken');
        return;
      }
      model(ledger, job, given, result);
      if (job.owner === owner) return;
      await expect(real(store, job, owner, given)).rejects.toBeInstanceOf(LeaseLostError);
    }),
  );
}

const output = { durationSeconds: 1, sizeBytes: 1, warnings: [] };
const settle = onJob(
  'settle',
  fc.nat({ max: 15 }),
  (real, job, owner, credits) => real.leases.settle(job.id, owner, credits),
  (model, job, credits, failed) => expect((failed as Job | undefined)?.status).toBe(model.settle(job, credits) ? undefined : 'failed'),
);
const prices = [0, 0.5, 1.25, 4];
const purchase = (item: number, credits: number) => ({
  item: `item ${item}`,
  kind: 'speech' as const,
  provider: 'azure',
  quantity: 1,
  microcredits: credits * 1e6,
});
const item = fc.nat({ max: prices.length - 1 });
const reserve = onJob(
  'reserve',
  fc.record({ credits: fc.nat({ max: 10 }), items: fc.uniqueArray(item) }),
  (real, job, owner, { credits, items }) =>
    real.leases.reserve(
      job.id,
      owner,
      credits,
      items.map((index) => purchase(index, prices[index] ?? 0)),
    ),
  (model, job, { credits, items }, failed) => {
    const planned = new Map(items.map((index) => [`item ${index}`, prices[index] ?? 0]));
    expect((failed as Job | undefined)?.status).toBe(model.reserve(job, credits, planned) ? undefined : 'failed');
  },
);
/** Needs no lease: what is bought is paid. */
const buy = fc.tuple(fc.nat({ max: 5 }), item).map(([nth, index]) =>
  command('buy', { nth, index }, async (model, real) => {
    const job = model.jobs[nth % Math.max(1, model.jobs.length)];
    if (job === undefined) return;
    const buying = real.leases.recordPurchase(job.id, purchase(index, prices[index] ?? 0));
    if (job.status === 'completed' || job.status === 'failed') return expect(buying).rejects.toBeInstanceOf(LeaseLostError);
    await buying;
    model.buy(job, `item ${index}`, prices[index] ?? 0);
  }),
);
const finish = onJob(
  'finish',
  fc.constant(0),
  (real, job, owner) => real.leases.complete(job.id, owner, output),
  (model, job) => model.complete(job),
);
const failing = { code: 'RENDER_FAILED' as const, message: 'no' };
const fail = onJob(
  'fail',
  fc.constant(0),
  (real, job, owner) => real.leases.fail(job.id, owner, failing),
  (model, job) => model.fail(job),
);
const release = onJob(
  'release',
  fc.constant(0),
  (real, job, owner) => real.leases.release(job.id, owner),
  (model, job) => model.release(job),
);
const die = onJob(
  'die',
  fc.constant(0),
  (real, job, owner) => real.leases.interrupt(job.id, owner),
  (model, job) => model.interrupt(job),
);

const renew = fc.nat({ max: 5 }).map((nth) =>
  command('renew', nth, async (model, real) => {
    const job = model.processing[nth % Math.max(1, model.processing.length)];
    if (job === undefined) return;
    expect(await real.leases.renew(job.id, job.owner, 0.5, 'preparing')).toBe(true);
    job.leaseEndsAt = real.clock.now() + 60_000;
  }),
);

/** The whole service dies and comes back: it knows that the owners of all leases are gone. */
const crash = fc.constant(0).map(() =>
  command('crash', '', async (model, real) => {
    await real.crash();
    const lost = model.processing;
    expect((await real.leases.recoverExpired(() => true)).map(({ job }) => job.id).sort()).toEqual(lost.map((job) => job.id).sort());
    for (const job of lost) model.desert(job);
  }),
);

const pass = fc.constantFrom(1000, 30_000, 61_000, 25 * 3_600_000).map((ms) =>
  command('pass', ms, async (model, real) => {
    real.clock.advance(ms);
    const lost = model.processing.filter((job) => job.leaseEndsAt < real.clock.now());
    expect((await real.leases.recoverExpired(() => false)).map(({ job }) => job.id).sort()).toEqual(lost.map((job) => job.id).sort());
    for (const job of lost) model.desert(job);
  }),
);

const topUp = fc.tuple(account, fc.integer({ min: 1, max: 30 })).map(([index, credits]) =>
  command('topUp', { index, credits }, async (model, real) => {
    const payer = model.accounts[index] as LedgerModel['accounts'][number];
    payer.balance += credits;
    expect((await real.accounts.grantCredits(`account ${index}`, credits))?.balance).toBe(payer.balance);
  }),
);

const revoke = fc.tuple(account, mode).map(([index, kind]) =>
  command('revoke', { index, kind }, async (model, real) => {
    const payer = model.accounts[index] as LedgerModel['accounts'][number];
    expect(await real.accounts.revokeKey(real.keys[index]?.[kind] ?? '')).toBe(payer[kind] ? 'revoked' : 'already revoked');
    payer[kind] = false;
  }),
);

const newKey = fc.tuple(account, mode).map(([index, kind]) =>
  command('newKey', { index, kind }, async (model, real) => {
    const keys = real.keys[index] as RealLedger['keys'][number];
    keys[kind] = (await real.createKey(index, kind)).key;
    (model.accounts[index] as LedgerModel['accounts'][number])[kind] = true;
  }),
);

/** What happens often is named several times. */
export const ledgerCommands = [
  topUp,
  topUp,
  submit,
  submit,
  submit,
  claim,
  claim,
  claim,
  settle,
  settle,
  reserve,
  reserve,
  buy,
  buy,
  finish,
  fail,
  die,
  release,
  renew,
  pass,
  crash,
  revoke,
  newKey,
];

async function compare(model: LedgerModel, real: RealLedger): Promise<void> {
  const balances = new Map((await real.db.selectFrom('accounts').select(['id', 'balance']).execute()).map((row) => [row.id, row.balance]));
  expect(real.accountIds.map((id) => balances.get(id))).toEqual(model.accounts.map(({ balance }) => balance));
  const jobs = await real.db.selectFrom('jobs').select(['id', 'status', 'attempts', 'interruptions', 'credits_used']).orderBy('seq').execute();
  expect(jobs).toEqual(
    model.jobs.map(({ id, status, attempts, interruptions, creditsUsed }) => ({ id, status, attempts, interruptions, credits_used: creditsUsed })),
  );
  const entries = await real.db.selectFrom('ledger_entries').select(['job_id', 'amount']).where('job_id', 'is not', null).execute();
  const charges = new Map<string, number>();
  for (const { job_id, amount } of entries) charges.set(String(job_id), (charges.get(String(job_id)) ?? 0) - amount);
  expect(model.jobs.map((job) => charges.get(job.id) ?? 0)).toEqual(model.jobs.map((job) => job.charge));
  expect(await findImbalances(real.db)).toEqual([]);
}
