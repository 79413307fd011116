import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxTemplates, type TemplateChanges, type TemplateMetadata, type TemplateStore } from '../../accounts/index.js';
import { type ExportPolicy, redactExports } from '../../delivery/exports/index.js';
import { AppError } from '../../errors/index.js';
import { type CheckUrl, checkTemplateScript, joinPath } from '../../script/index.js';
import { type JsonSchema, type Operation, part } from '../openapi/operation.js';
import { compileBodyCheck } from '../openapi/request-check.js';
import { callerOf } from '../plugins/admission.js';

export interface TemplateRouteParts {
  templates: TemplateStore;
  checkUrl: CheckUrl;
  exportPolicy: ExportPolicy;
}

type TemplateRequest = FastifyRequest<{ Params: { id: string } }>;

export function registerTemplateRoutes(instance: FastifyInstance, parts: TemplateRouteParts): void {
  const { templates } = parts;
  const configured = (operation: Operation) => ({ config: { bodyErrorCode: 'VALIDATION_ERROR' as const, operation } });
  const checkNew = compileBodyCheck(newTemplateBody, 'VALIDATION_ERROR');
  const checkChanges = compileBodyCheck(templateChangesBody, 'VALIDATION_ERROR');

  instance.post('/api/templates', configured(createOperation), async (request, reply) => {
    const { name = '', script, isPublic = false } = parseFields(checkNew(request.body), parts.checkUrl);
    const created = await templates.create(callerOf(request).accountId, { name, script, isPublic });
    return reply.status(201).send({ ...viewTemplate(created), created_at: created.createdAt });
  });

  instance.get('/api/templates', configured(listOperation), async (request) => {
    const owned = await templates.list(callerOf(request).accountId);
    return { templates: owned.map(viewListed) };
  });

  instance.get('/api/templates/:id', configured(retrieveOperation), async (request: TemplateRequest) => {
    const template = await templates.get(callerOf(request).accountId, request.params.id);
    return { ...viewListed(template), script: redactExports(template.script) };
  });

  const update = async (request: TemplateRequest): Promise<object> => {
    const changes = parseFields(checkChanges(request.body), parts.checkUrl);
    const changed = await templates.update(callerOf(request).accountId, request.params.id, changes);
    return { ...viewTemplate(changed), updated_at: changed.updatedAt };
  };
  instance.put('/api/templates/:id', configured({ ...updateOperation, id: 'replaceTemplateFields' }), update);
  instance.patch('/api/templates/:id', configured(updateOperation), update);

  instance.delete('/api/templates/:id', configured(deleteOperation), async (request: TemplateRequest) => {
    await templates.delete(callerOf(request).accountId, request.params.id);
    return { deleted: true };
  });
}

function parseFields(body: Record<string, unknown>, checkUrl: CheckUrl): TemplateChanges {
  const { name, script, is_public: isPublic } = body as { name?: string; script?: unknown; is_public?: boolean };
  if (name?.trim() === '') throw new AppError('VALIDATION_ERROR', { message: 'name must not be empty.', path: 'name' });
  if (script !== undefined) checkScript(script, checkUrl);
  return { name, script, isPublic };
}

function checkScript(script: unknown, checkUrl: CheckUrl): void {
  try {
    checkTemplateScript(script, { checkUrl });
  } catch (error) {
    if (!(error instanceof AppError) || error.path === undefined) throw error;
    throw new AppError(error.code, { message: error.message, path: error.path === '' ? 'script' : joinPath('script', error.path), cause: error });
  }
  const exports = (script as { exports?: unknown }).exports;
  if (exports !== undefined && JSON.stringify(exports).includes('"***"')) {
    const message = 'exports hold masked secrets (***), as a template is shown. Give the secrets themselves, or placeholders for them.';
    throw new AppError('SCHEMA_VALIDATION_ERROR', { message, path: 'script.exports' });
  }
}

function viewTemplate({ id, name, isPublic }: TemplateMetadata): object {
  return { id, name, is_public: isPublic };
}

function viewListed(template: TemplateMetadata): object {
  return { ...viewTemplate(template), created_at: template.createdAt, updated_at: template.updatedAt };
}

const ignored = { description: 'Accepted and ignored.' };
const bodyFields: Readonly<Record<string, JsonSchema>> = {
  name: { type: 'string', minLength: 1, maxLength: 200, description: 'Not empty.' },
  script: {
    ...part('Script'),
    description:
      'A movie script in which any value may be a text with {{placeholders}}. What can be known without their values is checked now, the rest at a render.',
  },
  is_public: { type: 'boolean', description: 'Whether other accounts may read the template and render from it; default false.' },
  // What is retrieved may be sent back as it is.
  id: ignored,
  created_at: ignored,
  updated_at: ignored,
  comment: ignored,
  'client-data': ignored,
};
const templateChangesBody: JsonSchema = {
  title: 'Change of a template',
  type: 'object',
  properties: bodyFields,
  patternProperties: { '^_': true },
  additionalProperties: false,
};
const newTemplateBody: JsonSchema = { ...templateChangesBody, title: 'Template', required: ['name', 'script'] };

const id = 'tpl_0123456789abcdef0123456789abcdef';
const at = '2030-01-01T12:00:00.000Z';
const script = { scenes: [{ duration: '{{seconds}}', elements: [{ type: 'text', text: 'Hello, {{name}}' }] }] };
const shown = { id, name: 'Greeting', is_public: false };
const idParameter = { path: { id: { type: 'string', description: 'Identifier of the template.' } } };

const createOperation: Operation = {
  id: 'createTemplate',
  tag: 'Templates',
  summary: 'Save a template',
  description: `An account may have ${maxTemplates} templates.`,
  key: 'header',
  body: {
    schema: newTemplateBody,
    examples: { greeting: { name: 'Greeting', script: { scenes: [{ duration: 4, elements: [{ type: 'text', text: 'Hello, {{name}}' }] }] } } },
  },
  answers: { 201: { description: 'The template is saved.', schema: part('CreatedTemplate'), example: { ...shown, created_at: at } } },
  errors: ['VALIDATION_ERROR', 'SCHEMA_VALIDATION_ERROR'],
};
const listOperation: Operation = {
  id: 'listTemplates',
  tag: 'Templates',
  summary: 'Your templates',
  description: "Newest first, without their scripts. Others' public templates are not in it.",
  key: 'header',
  answers: {
    200: { description: 'All of them.', schema: part('TemplateList'), example: { templates: [{ ...shown, created_at: at, updated_at: at }] } },
  },
};
const retrieveOperation: Operation = {
  id: 'getTemplate',
  tag: 'Templates',
  summary: 'One template with its script',
  description: 'Your own, or a public one.',
  key: 'header',
  parameters: idParameter,
  answers: { 200: { description: 'The template.', schema: part('Template'), example: { ...shown, script, created_at: at, updated_at: at } } },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
};
const updateOperation: Operation = {
  id: 'updateTemplate',
  tag: 'Templates',
  summary: 'Change a template',
  description: 'PUT and PATCH do the same: fields that are absent stay as they are. Its owner only.',
  key: 'header',
  parameters: idParameter,
  body: { schema: templateChangesBody, examples: { rename: { name: 'Warm greeting' } } },
  answers: { 200: { description: 'As it is now.', schema: part('UpdatedTemplate'), example: { ...shown, name: 'Warm greeting', updated_at: at } } },
  errors: ['VALIDATION_ERROR', 'SCHEMA_VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
};
const deleteOperation: Operation = {
  id: 'deleteTemplate',
  tag: 'Templates',
  summary: 'Delete a template for good',
  description: 'Its owner only. Jobs that were rendered from it stay.',
  key: 'header',
  parameters: idParameter,
  answers: { 200: { description: 'It is gone.', schema: part('DeletedTemplate'), example: { deleted: true } } },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
};
