import type { FastifyReply } from 'fastify';
import type { Caller } from '../accounts/index.js';
import { AppError } from '../errors/index.js';

/** For each job that an account may have at a time: more readers than a job has, and few enough that no account takes all of the service's descriptors. */
const streamsPerJob = 100;
const retryAfterSeconds = 5;

/** Counts the progress streams that accounts have open. */
export class OpenStreams {
  readonly #counts = new Map<string, number>();

  /** Throws when the account has all that it may. */
  checkRoom({ accountId, limits }: Caller, reply: FastifyReply): void {
    const most = limits.concurrentJobs * streamsPerJob;
    if ((this.#counts.get(accountId) ?? 0) < most) return;
    reply.header('Retry-After', retryAfterSeconds);
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `This account has ${most} progress streams open, as many as it may. Close some, or try again later.`,
    });
  }

  enter({ accountId }: Caller): void {
    this.#counts.set(accountId, (this.#counts.get(accountId) ?? 0) + 1);
  }

  leave({ accountId }: Caller): void {
    const left = (this.#counts.get(accountId) ?? 1) - 1;
    if (left > 0) this.#counts.set(accountId, left);
    else this.#counts.delete(accountId);
  }
}
