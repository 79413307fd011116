import type { FastifyInstance } from 'fastify';
import type * as Contract from '../../contract/index.js';
import { AppError } from '../../errors/index.js';
import { type JobStatus, type JobStore, jobStatuses } from '../../jobs/index.js';
import { type ExportsOf, type OutputUri, viewExports, viewJob } from '../job-view.js';
import { jobIdParameter, type Operation } from '../openapi/operation.js';
import { schemaRef } from '../openapi/schemas.js';
import { callerOf } from '../plugins/admission.js';

export interface JobRouteParts {
  jobs: JobStore;
  exportsOf: ExportsOf;
  outputUri: OutputUri;
}

export function registerJobRoutes(instance: FastifyInstance, parts: JobRouteParts): void {
  instance.get<{ Querystring: Query }>('/api/jobs', { config: { operation: listOperation } }, async (request): Promise<Contract.JobList> => {
    const query = parseListQuery(request.query);
    const { jobs, total } = await parts.jobs.list(callerOf(request).accountId, query);
    return { jobs: jobs.map((job) => viewJob(job, parts.outputUri)), total, page: query.page, limit: query.limit };
  });

  const getOptions = { config: { operation: getOperation } };
  instance.get<{ Params: { job_id: string } }>('/api/jobs/:job_id', getOptions, async (request): Promise<Contract.Job> => {
    const job = await parts.jobs.find(callerOf(request).accountId, request.params.job_id);
    if (job === undefined) throw new AppError('NOT_FOUND', { message: 'Job not found.' });
    const { clientData } = job;
    const exports = job.hasExports ? viewExports(await parts.exportsOf(job.id)) : {};
    return { ...viewJob(job, parts.outputUri), ...(clientData !== undefined && { client_data: clientData }), ...exports };
  });
}

type Query = Readonly<Record<string, unknown>>;

function parseListQuery(query: Query): { page: number; limit: number; status?: JobStatus } {
  const status = parseStatus(query.status);
  return {
    page: parseWhole(query, 'page'),
    limit: parseWhole(query, 'limit'),
    ...(status !== undefined && { status }),
  };
}

function parseWhole(query: Query, name: 'page' | 'limit'): number {
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

const example: Contract.Job = {
  job_id: '6f1c1f0e-5d0c-4f6b-9a57-0e3f3f6f9b7c',
  status: 'completed',
  progress: 1,
  stage: 'complete',
  output_uri: 'https://videos.example.com/outputs/6f1c1f0e-5d0c-4f6b-9a57-0e3f3f6f9b7c.mp4',
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
  responses: { 200: { description: 'One page of jobs.', schema: schemaRef('JobList'), example: { jobs: [example], total: 1, page: 1, limit: 20 } } },
  errors: ['VALIDATION_ERROR'],
};

const getOperation: Operation = {
  id: 'getJob',
  tag: 'Jobs',
  summary: 'One job',
  description: 'Poll until its status is completed or failed.',
  key: 'header',
  parameters: { path: { job_id: jobIdParameter } },
  responses: { 200: { description: 'The current state of the job.', schema: schemaRef('Job'), example } },
  errors: ['NOT_FOUND'],
};
