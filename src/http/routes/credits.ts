import type { FastifyInstance } from 'fastify';
import type { AccountStore } from '../../accounts/index.js';
import type { Credits } from '../../contract/index.js';
import type { Operation } from '../openapi/operation.js';
import { schemaRef } from '../openapi/schemas.js';
import { callerOf } from '../plugins/admission.js';

export interface CreditsRouteParts {
  accounts: Pick<AccountStore, 'getBalance'>;
}

export function registerCreditsRoute(instance: FastifyInstance, { accounts }: CreditsRouteParts): void {
  instance.get('/api/credits', { config: { operation: creditsOperation } }, async (request): Promise<Credits> => {
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
  summary: 'Credits and limits of your account',
  description: 'Estimates of queued jobs are already deducted from the balance.',
  key: 'header',
  responses: {
    200: {
      description: 'The current balance and limits.',
      schema: schemaRef('Credits'),
      example: { credits_remaining: 996, mode: 'live', requests_per_minute: 120, concurrent_jobs: 10 },
    },
  },
};
