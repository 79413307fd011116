import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as Contract from '../contract/index.js';
import { type ExportPolicy, parseExports, redactExports } from '../delivery/exports/index.js';
import type { AcceptedJob, IdempotencyKey, JobStore } from '../jobs/index.js';
import {
  type CheckGeneration,
  type CheckUrl,
  type ComponentChecker,
  dropUnusedVariables,
  estimateMovie,
  type ProviderPricing,
  parseMovie,
} from '../script/index.js';
import { readIdempotencyKey } from './idempotency.js';
import { callerOf } from './plugins/admission.js';

/** Called when a job is queued. */
export type OnSubmitted = (job: { jobId: string; accountId: string; credits: number; isLive: boolean }) => void;

export interface SubmissionParts {
  jobs: JobStore;
  /** Policy on the URLs of a script. */
  checkUrl: CheckUrl;
  /** The installed components. */
  components: ComponentChecker;
  /** Policy on generated images and videos. */
  checkGeneration: CheckGeneration;
  pricing: ProviderPricing;
  exportPolicy: ExportPolicy;
  onSubmitted: OnSubmitted;
}

/** Answers a render request: with the stored response of the same idempotency key, or by validating the script, charging its estimate and queueing it. */
export async function submitOnce(request: FastifyRequest, reply: FastifyReply, parts: SubmissionParts, readScript: () => Promise<unknown>) {
  const idempotency = readIdempotencyKey(request);
  const earlier = idempotency === undefined ? undefined : await parts.jobs.findIdempotentResponse(callerOf(request).accountId, idempotency);
  const accepted = earlier ?? (await submitScript(request, parts, await readScript(), idempotency));
  const response: Contract.AcceptedJob = {
    job_id: accepted.jobId,
    status: 'queued',
    estimated_credits: accepted.estimatedCredits,
    credits_remaining: accepted.creditsRemaining,
  };
  return reply.status(202).send(response);
}

async function submitScript(request: FastifyRequest, parts: SubmissionParts, script: unknown, idempotency: IdempotencyKey | undefined): Promise<AcceptedJob> {
  const caller = callerOf(request);
  const movie = parseMovie(script, parts);
  const exportTargets = parseExports(movie.exports, { ...parts.exportPolicy, outputs: movie.outputs });
  const { credits, providerCredits } = estimateMovie(movie, parts.pricing);
  const { webhookUri, clientData } = movie;
  // The stored script has no export secrets: they are stored with the targets only, until the exports are done.
  const submission = {
    script: withoutClientData(redactExports(dropUnusedVariables(script))),
    estimatedCredits: credits,
    providerCredits,
    clientData,
    webhookUri,
    exportTargets,
  };
  const accepted = await parts.jobs.submit({ caller, ...submission, idempotency });
  request.log.info({ job_id: accepted.jobId, account_id: caller.accountId, estimated_credits: credits }, 'job queued');
  parts.onSubmitted({ jobId: accepted.jobId, accountId: caller.accountId, credits, isLive: caller.mode === 'live' });
  return accepted;
}

/** The client data is stored beside the script. */
function withoutClientData(script: unknown): unknown {
  const { 'client-data': _, client_data: __, ...rest } = script as Record<string, unknown>;
  return rest;
}
