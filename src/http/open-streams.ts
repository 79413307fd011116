import type { FastifyReply } from 'fastify';
import type { Caller } from '../accounts/index.js';
import { AppError } from '../errors/index.js';

/** Progress streams per concurrent job of the plan: more than a job has readers, but too few to exhaust the file descriptors of the service. */
const streamsPerJob = 100;
const retryAfterSeconds = 5;

/** Counts the open progress streams of each account. */
export class OpenStreams {
  readonly #counts = new Map<string, number>();

  /** Throws RATE_LIMIT_EXCEEDED when the account has reached its limit. */
  checkLimit({ accountId, limits }: Caller, reply: FastifyReply): void {
    const max = limits.concurrentJobs * streamsPerJob;
    if ((this.#counts.get(accountId) ?? 0) < max) return;
    reply.header('Retry-After', retryAfterSeconds);
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: `This account has ${max} progress streams open, the maximum of its plan. Close some, or try again later.`,
    });
  }

  add({ accountId }: Caller): void {
    this.#counts.set(accountId, (this.#counts.get(accountId) ?? 0) + 1);
  }

  remove({ accountId }: Caller): void {
    const left = (this.#counts.get(accountId) ?? 1) - 1;
    if (left > 0) this.#counts.set(accountId, left);
    else this.#counts.delete(accountId);
  }
}
