import type { FastifyInstance } from 'fastify';
import type { TemplateStore } from '../../accounts/index.js';
import { AppError } from '../../errors/index.js';
import { mergeVariables, movieSchema, type Variables } from '../../script/index.js';
import { maxKeyLength } from '../idempotency.js';
import { type Operation, part } from '../openapi/operation.js';
import { compileBodyCheck } from '../openapi/request-check.js';
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

  const checkBody = compileBodyCheck(renderTemplateBody, 'INVALID_REQUEST');
  instance.post('/api/render/template', { config: { bodyErrorCode: 'INVALID_REQUEST', operation: renderTemplateOperation } }, (request, reply) =>
    submitOnce(request, reply, parts, async () => {
      const { template_id, variables } = checkBody(request.body) as { template_id: string; variables?: Variables };
      return readFilled(parts.templates, callerOf(request).accountId, template_id, variables ?? {});
    }),
  );

  const schemaText = JSON.stringify(movieSchema);
  const options = { config: { public: true, operation: schemaOperation } };
  instance.get('/api/render/schema', options, async (_request, reply) => reply.type('application/json; charset=utf-8').send(schemaText));
}

/** A template's script as it is now: what is queued is a copy. */
async function readFilled(templates: TemplateStore, accountId: string, id: string, variables: Variables): Promise<unknown> {
  const template = await templates.get(accountId, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') throw new AppError('TEMPLATE_NOT_FOUND', { message: 'Template not found.' });
    throw error;
  });
  const filled = mergeVariables(template.script, variables);
  // Another account's exports hold that account's secrets: its films go there, others' do not.
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
      'Printable ASCII. The same key with the same body within 24 hours gets the first answer and makes no second job; with another body it is refused.',
  },
};

const example = { job_id: '6f1c1f0e-5d0c-4f6b-9a57-0e3f3f6f9b7c', status: 'queued', estimated_credits: 4, credits_remaining: 996 };
const acceptedAnswer = { 202: { description: 'The job is queued and its estimate deducted.', schema: part('AcceptedJob'), example } };

const renderOperation: Operation = {
  id: 'render',
  tag: 'Render',
  summary: 'Submit a movie script',
  description: 'Poll the job, follow its progress stream or give a webhook_uri to learn when the video is there.',
  key: 'header',
  parameters: { header: idempotencyKey },
  body: {
    schema: part('Script'),
    examples: {
      hello: {
        scenes: [{ duration: 4, background: '#16324f', elements: [{ type: 'text', text: 'Hello, film', style: '003', font_size: 120, position: 'center' }] }],
      },
    },
  },
  answers: acceptedAnswer,
  errors: ['SCHEMA_VALIDATION_ERROR', 'INVALID_REQUEST', 'INSUFFICIENT_CREDITS', 'CONCURRENCY_LIMIT_EXCEEDED'],
};

const renderTemplateBody = {
  title: 'Render from a template',
  type: 'object',
  required: ['template_id'],
  properties: {
    template_id: { type: 'string', minLength: 1, maxLength: 100, description: 'A template of your own, or a public one.' },
    variables: {
      type: 'object',
      description:
        'Values by name, instead of the same variables of the script. {{name}} in any text of the script becomes the value, {{seconds * 2}} what it comes to; a text that is one placeholder alone takes the value with its type. A placeholder without a value stays as written.',
    },
    comment: { description: 'Accepted and ignored.' },
    id: { description: 'Accepted and ignored.' },
    'client-data': { description: 'Accepted and ignored.' },
  },
  patternProperties: { '^_': true },
  additionalProperties: false,
};

const renderTemplateOperation: Operation = {
  id: 'renderTemplate',
  tag: 'Render',
  summary: 'Fill a template and submit it',
  description: "The job has a copy of the script: later changes of the template do not touch it. Exports of another account's public template are left out.",
  key: 'header',
  parameters: { header: idempotencyKey },
  body: {
    schema: renderTemplateBody,
    examples: { greeting: { template_id: 'tpl_0123456789abcdef0123456789abcdef', variables: { name: 'Ada', seconds: 4 } } },
  },
  answers: acceptedAnswer,
  errors: ['INVALID_REQUEST', 'SCHEMA_VALIDATION_ERROR', 'FORBIDDEN', 'TEMPLATE_NOT_FOUND', 'INSUFFICIENT_CREDITS', 'CONCURRENCY_LIMIT_EXCEEDED'],
};

const schemaOperation: Operation = {
  id: 'renderSchema',
  tag: 'Render',
  summary: 'The JSON Schema of a movie script',
  key: 'none',
  answers: { 200: { description: 'JSON Schema, draft 2020-12.', schema: { type: 'object' } } },
};
