import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExportPolicy, parseExports, redactExports } from '../delivery/exports/index.js';
import type { AcceptedJob, IdempotencyKey, JobStore } from '../jobs/index.js';
import { type CheckGeneration, type CheckUrl, type ComponentChecker, dropUnusedVariables, estimateMovie, parseMovie } from '../script/index.js';
import { readIdempotencyKey } from './idempotency.js';
import { callerOf } from './plugins/admission.js';

export type OnSubmitted = (job: { jobId: string; accountId: string; credits: number; isLive: boolean }) => void;

export interface SubmissionParts {
  jobs: JobStore;
  /** Policy on the URLs of a script: the reason why one is refused, or undefined. */
  checkUrl: CheckUrl;
  /** The installed components. */
  components: ComponentChecker;
  /** Whether pictures and films can be made from prompts. */
  checkGeneration: CheckGeneration;
  exportPolicy: ExportPolicy;
  /** Tells those who render that a job waits. */
  onSubmitted: OnSubmitted;
}

/** The one way in for jobs: a repetition gets its first answer, everything else its script checked, paid and queued. */
export async function submitOnce(request: FastifyRequest, reply: FastifyReply, parts: SubmissionParts, readScript: () => Promise<unknown>) {
  const once = readIdempotencyKey(request);
  const earlier = once === undefined ? undefined : await parts.jobs.findIdempotentResponse(callerOf(request).accountId, once);
  const accepted = earlier ?? (await submitScript(request, parts, await readScript(), once));
  return reply.status(202).send({
    job_id: accepted.jobId,
    status: 'queued',
    estimated_credits: accepted.estimatedCredits,
    credits_remaining: accepted.creditsRemaining,
  });
}

async function submitScript(request: FastifyRequest, parts: SubmissionParts, script: unknown, once: IdempotencyKey | undefined): Promise<AcceptedJob> {
  const caller = callerOf(request);
  const movie = parseMovie(script, { checkUrl: parts.checkUrl, components: parts.components, checkGeneration: parts.checkGeneration });
  const exportTargets = parseExports(movie.exports, parts.exportPolicy);
  const { credits } = estimateMovie(movie);
  const { webhookUri, clientData } = movie;
  // Secrets of exports are kept with the targets alone, until those are decided.
  const submission = { script: redactExports(dropUnusedVariables(script)), estimatedCredits: credits, clientData, webhookUri, exportTargets };
  const accepted = await parts.jobs.submit({ caller, ...submission, idempotency: once });
  request.log.info({ job_id: accepted.jobId, account_id: caller.accountId, estimated_credits: credits }, 'a job is queued');
  parts.onSubmitted({ jobId: accepted.jobId, accountId: caller.accountId, credits, isLive: caller.mode === 'live' });
  return accepted;
}
