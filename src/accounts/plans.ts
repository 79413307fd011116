import type { AccountRow } from '../db/index.js';

export type PlanName = AccountRow['plan'];

export interface Limits {
  requestsPerMinute: number;
  concurrentJobs: number;
}

export const planNames: readonly PlanName[] = ['free', 'starter', 'pro', 'enterprise'];

/** Enterprise's row is only what such an account gets until the operator gives it numbers of its own. */
const plans: Readonly<Record<PlanName, Limits>> = {
  free: { requestsPerMinute: 10, concurrentJobs: 2 },
  starter: { requestsPerMinute: 60, concurrentJobs: 5 },
  pro: { requestsPerMinute: 120, concurrentJobs: 10 },
  enterprise: { requestsPerMinute: 600, concurrentJobs: 50 },
};

export function limitsOf(account: Pick<AccountRow, 'plan' | 'requests_per_minute' | 'concurrent_jobs'>): Limits {
  const plan = plans[account.plan];
  if (account.plan !== 'enterprise') return plan;
  return {
    requestsPerMinute: account.requests_per_minute ?? plan.requestsPerMinute,
    concurrentJobs: account.concurrent_jobs ?? plan.concurrentJobs,
  };
}
