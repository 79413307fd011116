import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/index.js';
import { type ExportPolicy, parseExports, redactExports } from '../../exports/index.js';
import type { JobStore } from '../../jobs/index.js';
import { type CheckUrl, estimateMovie, movieSchema, parseMovie } from '../../movie/index.js';
import { callerOf } from '../plugins/admission.js';

export interface RenderRouteParts {
  jobs: JobStore;
  /** Policy on the URLs of a script: the reason why one is refused, or undefined. */
  checkUrl: CheckUrl;
  exportPolicy: ExportPolicy;
  /** Tells the render processes of this host that a job waits. */
  onSubmitted: () => void;
}

export function registerRenderRoutes(instance: FastifyInstance, parts: RenderRouteParts): void {
  instance.post('/api/render', { config: { bodyErrorCode: 'SCHEMA_VALIDATION_ERROR' } }, async (request, reply) => {
    const script = request.body;
    if (script === undefined) throw new AppError('INVALID_JSON', { message: 'The request body is not valid JSON: it is empty.' });
    const movie = parseMovie(script, { checkUrl: parts.checkUrl });
    const exportTargets = parseExports(movie.exports, parts.exportPolicy);
    const { credits } = estimateMovie(movie);
    const { webhookUri } = movie;
    // Secrets of exports are kept with the targets alone, until those are decided.
    const submission = { script: redactExports(script), estimatedCredits: credits, webhookUri, exportTargets };
    const accepted = await parts.jobs.submit({ caller: callerOf(request), ...submission });
    request.log.info({ job_id: accepted.jobId, account_id: callerOf(request).accountId, estimated_credits: credits }, 'a job is queued');
    parts.onSubmitted();
    return reply.status(202).send({
      job_id: accepted.jobId,
      status: 'queued',
      estimated_credits: accepted.estimatedCredits,
      credits_remaining: accepted.creditsRemaining,
    });
  });

  const schemaText = JSON.stringify(movieSchema);
  instance.get('/api/render/schema', { config: { public: true } }, async (_request, reply) => reply.type('application/json; charset=utf-8').send(schemaText));
}
