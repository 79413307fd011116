import type { AccountRow } from '../db/index.js';

/** Name of a price plan. */
export type PlanName = AccountRow['plan'];

/** What an account may do at most. */
export interface Limits {
  requestsPerMinute: number;
  concurrentJobs: number;
}

/** Limits by plan. Those of `enterprise` are defaults: an operator may set them per account. */
const plans: Readonly<Record<PlanName, Limits>> = {
  free: { requestsPerMinute: 10, concurrentJobs: 2 },
  starter: { requestsPerMinute: 60, concurrentJobs: 5 },
  pro: { requestsPerMinute: 120, concurrentJobs: 10 },
  enterprise: { requestsPerMinute: 600, concurrentJobs: 50 },
};

/** Effective limits of an account. */
export function limitsOf(account: Pick<AccountRow, 'plan' | 'requests_per_minute' | 'concurrent_jobs'>): Limits {
  const plan = plans[account.plan];
  if (account.plan !== 'enterprise') return plan;
  return {
    requestsPerMinute: account.requests_per_minute ?? plan.requestsPerMinute,
    concurrentJobs: account.concurrent_jobs ?? plan.concurrentJobs,
  };
}
