import type { FastifyInstance } from 'fastify';
import type { AccountStore } from '../../accounts/index.js';
import { type Operation, part } from '../openapi/operation.js';
import { callerOf } from '../plugins/admission.js';

export interface CreditsRouteParts {
  accounts: Pick<AccountStore, 'getBalance'>;
}

export function registerCreditsRoute(instance: FastifyInstance, { accounts }: CreditsRouteParts): void {
  instance.get('/api/credits', { config: { operation: creditsOperation } }, async (request) => {
    const { accountId, mode, limits } = callerOf(request);
    return {
      credits_remaining: await accounts.getBalance(accountId),
      mode,
      requests_per_minute: limits.requestsPerMinute,
      concurrent_jobs: limits.concurrentJobs,
    };
  });
}

const creditsOperation: Operation = {
  id: 'getCredits',
  tag: 'Service',
  summary: 'What your account has',
  description: 'Its credits after what is queued was deducted, and its limits.',
  key: 'header',
  answers: {
    200: {
      description: 'As it is now.',
      schema: part('Credits'),
      example: { credits_remaining: 996, mode: 'live', requests_per_minute: 120, concurrent_jobs: 10 },
    },
  },
};
