import type { FastifyInstance } from 'fastify';
import type { TemplateStore } from '../../accounts/index.js';
import type { AcceptedJob } from '../../contract/index.js';
import { AppError } from '../../errors/index.js';
import { isObject, mergeVariables, movieSchema, type Variables } from '../../script/index.js';
import { maxKeyLength } from '../idempotency.js';
import type { Operation } from '../openapi/operation.js';
import { createBodyCheck } from '../openapi/request-check.js';
import { requestSchema, schemaRef } from '../openapi/schemas.js';
import { callerOf } from '../plugins/admission.js';
import { type SubmissionParts, submitOnce } from '../submit-script.js';

export interface RenderRouteParts extends SubmissionParts {
  templates: TemplateStore;
}

export function registerRenderRoutes(instance: FastifyInstance, parts: RenderRouteParts): void {
  instance.post('/api/render', { config: { bodyErrorCode: 'SCHEMA_VALIDATION_ERROR', operation: renderOperation } }, (request, reply) =>
    submitOnce(request, reply, parts, async () => {
      if (request.body === undefined) throw new AppError('INVALID_JSON', { message: 'The request body is not valid JSON: it is empty.' });
      return request.body;
    }),
  );

  const checkBody = createBodyCheck('RenderTemplateRequest', 'INVALID_REQUEST');
  instance.post('/api/render/template', { config: { bodyErrorCode: 'INVALID_REQUEST', operation: renderTemplateOperation } }, (request, reply) =>
    submitOnce(request, reply, parts, async () => {
      const { template_id, variables = {}, outputs } = checkBody(request.body);
      const script = await fillTemplate(parts.templates, callerOf(request).accountId, template_id, variables);
      return outputs === undefined || !isObject(script) ? script : { ...script, outputs };
    }),
  );

  const schemaText = JSON.stringify(movieSchema);
  const options = { config: { public: true, operation: schemaOperation } };
  instance.get('/api/render/schema', options, async (_request, reply) => reply.type('application/json; charset=utf-8').send(schemaText));
}

/** The script of a template with its variables replaced. */
async function fillTemplate(templates: TemplateStore, accountId: string, id: string, variables: Variables): Promise<unknown> {
  const template = await templates.get(accountId, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') throw new AppError('TEMPLATE_NOT_FOUND', { message: 'Template not found.' });
    throw error;
  });
  const filled = mergeVariables(template.script, variables);
  // Exports of another account's template contain its secrets and targets.
  if (template.accountId === accountId || typeof filled !== 'object' || filled === null) return filled;
  const { exports: _, ...rest } = filled as Record<string, unknown>;
  return rest;
}

const idempotencyKey = {
  'Idempotency-Key': {
    type: 'string',
    minLength: 1,
    maxLength: maxKeyLength,
    pattern: '^[ -~]+$',
    description:
      'Printable ASCII. A second request with the same key and body within 24 hours gets the first response and creates no job; with another body it is rejected.',
  },
};

const example: AcceptedJob = { job_id: '6f1c1f0e-5d0c-4f6b-9a57-0e3f3f6f9b7c', status: 'queued', estimated_credits: 4, credits_remaining: 996 };
const accepted = { 202: { description: 'The job is queued and its estimate deducted.', schema: schemaRef('AcceptedJob'), example } };

/** Refusals of a valid submission. */
const limitErrors = ['INSUFFICIENT_CREDITS', 'CONCURRENCY_LIMIT_EXCEEDED', 'PROVIDER_LIMIT_EXCEEDED', 'SANDBOX_QUOTA_EXCEEDED'] as const;

const renderOperation: Operation = {
  id: 'render',
  tag: 'Render',
  summary: 'Submit a movie script',
  description: [
    'Poll the job, follow its progress stream or set webhook_uri to learn when the video is ready.',
    'The estimate is deducted now. Once the exact length of all media is known, the difference is refunded, or deducted if the movie costs more;',
    'a job whose difference the balance does not cover fails with INSUFFICIENT_CREDITS before anything is rendered.',
    'A failed job is refunded all but its purchases from provider services.',
  ].join(' '),
  key: 'header',
  parameters: { header: idempotencyKey },
  body: {
    schema: schemaRef('Script'),
    examples: {
      hello: {
        scenes: [{ duration: 4, background: '#16324f', elements: [{ type: 'text', text: 'Hello, world', style: '003', font_size: 120, position: 'center' }] }],
      },
    },
  },
  responses: accepted,
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', ...limitErrors],
};

const renderTemplateOperation: Operation = {
  id: 'renderTemplate',
  tag: 'Render',
  summary: 'Fill a template and submit it',
  description: "The job uses a copy of the script; later changes of the template do not affect it. Exports of another account's public template are ignored.",
  key: 'header',
  parameters: { header: idempotencyKey },
  body: {
    schema: requestSchema('RenderTemplateRequest'),
    examples: { greeting: { template_id: 'tpl_0123456789abcdef0123456789abcdef', variables: { name: 'Ada', seconds: 4 } } },
  },
  responses: accepted,
  errors: ['INVALID_REQUEST', 'SCHEMA_VALIDATION_ERROR', 'FORBIDDEN', 'TEMPLATE_NOT_FOUND', ...limitErrors],
};

const schemaOperation: Operation = {
  id: 'renderSchema',
  tag: 'Render',
  summary: 'The JSON Schema of a movie script',
  key: 'none',
  responses: { 200: { description: 'JSON Schema, draft 2020-12.', schema: { type: 'object' } } },
};
