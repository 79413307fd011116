/** The rules of jobs and credits in as few lines as they take: no database, no leases in tables, no ledger. Only sums. */
export type Mode = 'live' | 'test';

export interface ModelJob {
  id: string;
  account: number;
  mode: Mode;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  charge: number;
  /** Credits by item. */
  bought: Map<string, number>;
  creditsUsed: number | null;
  attempts: number;
  interruptions: number;
  owner: string;
  leaseEndsAt: number;
}

export interface ModelSubmission {
  mode: Mode;
  estimate: number;
  once?: { key: string; fingerprint: string } | undefined;
  /** Another write of the submission's transaction fails. */
  broken: boolean;
}

export type Outcome = { jobId: string; estimatedCredits: number; creditsRemaining: number } | string;

export const leaseMs = 60_000;
const dayMs = 24 * 60 * 60 * 1000;

export class LedgerModel {
  readonly accounts = [0, 1].map(() => ({ balance: 20, limit: 3, live: true, test: true, lastTurn: 0 }));
  readonly jobs: ModelJob[] = [];
  #turns = 0;
  readonly answers: Array<{ account: number; key: string; fingerprint: string; at: number; outcome: Outcome }> = [];

  /** What must come of it; `jobId` is the one that a new job got. */
  submit(account: number, submission: ModelSubmission, now: number, jobId: string): Outcome {
    const { mode, estimate, once, broken } = submission;
    const payer = this.#account(account);
    if (!payer[mode]) return 'UNAUTHORIZED';
    const stored = this.answers.findLast((answer) => answer.account === account && answer.key === once?.key && answer.at > now - dayMs);
    if (stored !== undefined) return stored.fingerprint === once?.fingerprint ? stored.outcome : 'INVALID_REQUEST';
    const price = mode === 'live' ? estimate : 0;
    if (payer.balance < price) return 'INSUFFICIENT_CREDITS';
    if (this.jobs.filter((job) => job.account === account && isActive(job)).length >= payer.limit) return 'CONCURRENCY_LIMIT_EXCEEDED';
    if (broken) return 'broken';
    payer.balance -= price;
    this.jobs.push({
      id: jobId,
      account,
      mode,
      status: 'queued',
      charge: price,
      bought: new Map(),
      creditsUsed: null,
      attempts: 0,
      interruptions: 0,
      owner: '',
      leaseEndsAt: 0,
    });
    const outcome = { jobId, estimatedCredits: estimate, creditsRemaining: payer.balance };
    if (once !== undefined) this.answers.push({ account, ...once, at: now, outcome });
    return outcome;
  }

  claim(mode: Mode, owner: string, now: number): string | undefined {
    const inHand = (account: number): number => this.jobs.filter((job) => job.account === account && job.status === 'processing').length;
    const waiting = this.jobs.filter((candidate) => candidate.status === 'queued' && candidate.mode === mode);
    // Stable: of one account the oldest stays first.
    const [job] = waiting.sort((a, b) => inHand(a.account) - inHand(b.account) || this.#account(a.account).lastTurn - this.#account(b.account).lastTurn);
    if (job === undefined) return undefined;
    this.#turns += 1;
    this.#account(job.account).lastTurn = this.#turns;
    Object.assign(job, { status: 'processing', attempts: job.attempts + 1, owner, leaseEndsAt: now + leaseMs });
    return job.id;
  }

  /** False if the balance is too low and the job has failed. */
  settle(job: ModelJob, credits: number): boolean {
    if (job.mode === 'test') return true;
    return this.#charge(job, credits + sum(job.bought));
  }

  /** False if the balance is too low and the job has failed. */
  reserve(job: ModelJob, credits: number, planned: ReadonlyMap<string, number>): boolean {
    if (job.mode === 'test') return true;
    return this.#charge(job, Math.max(job.charge, credits + sum(new Map([...planned, ...job.bought]))));
  }

  buy(job: ModelJob, item: string, credits: number): void {
    if (job.mode === 'live' && !job.bought.has(item)) job.bought.set(item, credits);
  }

  #charge(job: ModelJob, credits: number): boolean {
    const payer = this.#account(job.account);
    if (payer.balance + job.charge < credits) {
      this.fail(job);
      return false;
    }
    payer.balance += job.charge - credits;
    job.charge = credits;
    return true;
  }

  complete(job: ModelJob): void {
    Object.assign(job, { status: 'completed', creditsUsed: job.charge, owner: '' });
  }

  fail(job: ModelJob): void {
    const charge = Math.min(job.charge, sum(job.bought));
    this.#account(job.account).balance += job.charge - charge;
    Object.assign(job, { status: 'failed', charge, creditsUsed: charge, owner: '' });
  }

  release(job: ModelJob): void {
    Object.assign(job, { status: 'queued', attempts: job.attempts - 1, owner: '' });
  }

  /** Its render process is gone: once more, and not a third time. */
  interrupt(job: ModelJob): void {
    if (job.attempts >= 2) this.fail(job);
    else Object.assign(job, { status: 'queued', owner: '' });
  }

  /** The service is gone: once more, without counting, but not for ever. */
  desert(job: ModelJob): void {
    job.interruptions += 1;
    if (job.interruptions >= 20) this.fail(job);
    else this.release(job);
  }

  get processing(): ModelJob[] {
    return this.jobs.filter((job) => job.status === 'processing');
  }

  #account(index: number) {
    const account = this.accounts[index];
    if (account === undefined) throw new RangeError(`There is no account ${index}.`);
    return account;
  }
}

/** Whole credits for purchases. */
function sum(bought: ReadonlyMap<string, number>): number {
  return Math.ceil([...bought.values()].reduce((total, credits) => total + credits, 0));
}

function isActive(job: ModelJob): boolean {
  return job.status === 'queued' || job.status === 'processing';
}
