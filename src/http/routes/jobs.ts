import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/index.js';
import { type JobStatus, type JobStore, jobStatuses } from '../../jobs/index.js';
import { type ExportsOf, type OutputUri, viewExports, viewJob } from '../job-view.js';
import type { Operation } from '../openapi/operation.js';
import { part } from '../openapi/operation.js';
import { jobId } from '../openapi/schemas.js';
import { callerOf } from '../plugins/admission.js';

export interface JobRouteParts {
  jobs: JobStore;
  exportsOf: ExportsOf;
  outputUri: OutputUri;
}

export function registerJobRoutes(instance: FastifyInstance, parts: JobRouteParts): void {
  instance.get('/api/jobs', { config: { operation: listOperation } }, async (request) => {
    const query = parseListQuery(request.query as Record<string, unknown>);
    const { jobs, total } = await parts.jobs.list(callerOf(request).accountId, query);
    return { jobs: jobs.map((job) => viewJob(job, parts.outputUri)), total, page: query.page, limit: query.limit };
  });

  instance.get<{ Params: { job_id: string } }>('/api/jobs/:job_id', { config: { operation: getOperation } }, async (request) => {
    const job = await parts.jobs.find(callerOf(request).accountId, request.params.job_id);
    if (job === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such job.' });
    const { clientData } = job;
    return { ...viewJob(job, parts.outputUri), ...(clientData !== undefined && { client_data: clientData }), ...viewExports(await parts.exportsOf(job.id)) };
  });
}

function parseListQuery(query: Record<string, unknown>): { page: number; limit: number; status?: JobStatus } {
  const status = parseStatus(query.status);
  return {
    page: parseWhole(query, 'page'),
    limit: parseWhole(query, 'limit'),
    ...(status !== undefined && { status }),
  };
}

function parseWhole(query: Record<string, unknown>, name: 'page' | 'limit'): number {
  const { default: fallback, maximum: max } = listQuery[name];
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

const listQuery = {
  page: { type: 'integer', minimum: 1, maximum: 1_000_000_000, default: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  status: { enum: jobStatuses, description: 'Only jobs in this state.' },
} as const;

const example = {
  job_id: '6f1c1f0e-5d0c-4f6b-9a57-0e3f3f6f9b7c',
  status: 'completed',
  progress: 1,
  stage: 'complete',
  output_uri: 'https://films.example.com/outputs/6f1c1f0e-5d0c-4f6b-9a57-0e3f3f6f9b7c.mp4',
  duration_seconds: 4,
  estimated_credits: 4,
  credits_used: 4,
  warnings: [],
  created_at: '2030-01-01T12:00:00.000Z',
  completed_at: '2030-01-01T12:00:02.000Z',
};

const listOperation: Operation = {
  id: 'listJobs',
  tag: 'Jobs',
  summary: 'Your jobs',
  description: 'Newest first.',
  key: 'header',
  parameters: { query: listQuery },
  answers: { 200: { description: 'A page of them.', schema: part('JobList'), example: { jobs: [example], total: 1, page: 1, limit: 20 } } },
  errors: ['VALIDATION_ERROR'],
};

const getOperation: Operation = {
  id: 'getJob',
  tag: 'Jobs',
  summary: 'One job',
  description: 'Poll until its status is completed or failed.',
  key: 'header',
  parameters: { path: { job_id: jobId } },
  answers: { 200: { description: 'As it is now.', schema: part('Job'), example } },
  errors: ['NOT_FOUND'],
};
