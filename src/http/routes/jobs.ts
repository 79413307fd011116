import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/index.js';
import { type JobStatus, type JobStore, jobStatuses } from '../../jobs/index.js';
import { type ExportsOf, type OutputUri, viewExports, viewJob } from '../job-view.js';
import { callerOf } from '../plugins/admission.js';

export interface JobRouteParts {
  jobs: JobStore;
  exportsOf: ExportsOf;
  outputUri: OutputUri;
}

export function registerJobRoutes(instance: FastifyInstance, parts: JobRouteParts): void {
  instance.get('/api/jobs', async (request) => {
    const query = parseListQuery(request.query as Record<string, unknown>);
    const { jobs, total } = await parts.jobs.list(callerOf(request).accountId, query);
    return { jobs: jobs.map((job) => viewJob(job, parts.outputUri)), total, page: query.page, limit: query.limit };
  });

  instance.get<{ Params: { job_id: string } }>('/api/jobs/:job_id', async (request) => {
    const job = await parts.jobs.find(callerOf(request).accountId, request.params.job_id);
    if (job === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such job.' });
    return { ...viewJob(job, parts.outputUri), ...viewExports(await parts.exportsOf(job.id)) };
  });
}

function parseListQuery(query: Record<string, unknown>): { page: number; limit: number; status?: JobStatus } {
  const status = parseStatus(query.status);
  return {
    page: parseWhole(query, 'page', 1, 1_000_000_000),
    limit: parseWhole(query, 'limit', 20, 100),
    ...(status !== undefined && { status }),
  };
}

function parseWhole(query: Record<string, unknown>, name: string, fallback: number, max: number): number {
  const text = query[name];
  if (text === undefined) return fallback;
  const value = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new AppError('VALIDATION_ERROR', { message: `${name} must be a whole number from 1 to ${max}.`, path: name });
}

function parseStatus(text: unknown): JobStatus | undefined {
  if (text === undefined) return undefined;
  const status = jobStatuses.find((known) => known === text);
  if (status === undefined) throw new AppError('VALIDATION_ERROR', { message: `status must be one of ${jobStatuses.join(', ')}.`, path: 'status' });
  return status;
}
