import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxTemplates, type TemplateChanges, type TemplateMetadata, type TemplateStore } from '../../accounts/index.js';
import type * as Contract from '../../contract/index.js';
import { type ExportPolicy, redactExports } from '../../delivery/exports/index.js';
import { AppError } from '../../errors/index.js';
import { type CheckUrl, checkTemplateScript, joinPath } from '../../script/index.js';
import type { Operation } from '../openapi/operation.js';
import { createBodyCheck } from '../openapi/request-check.js';
import { requestSchema, schemaRef } from '../openapi/schemas.js';
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
  const checkNew = createBodyCheck('CreateTemplateRequest', 'VALIDATION_ERROR');
  const checkChanges = createBodyCheck('UpdateTemplateRequest', 'VALIDATION_ERROR');

  instance.post('/api/templates', configured(createOperation), async (request, reply) => {
    const { name = '', script, isPublic = false } = parseFields(checkNew(request.body), parts.checkUrl);
    const created = await templates.create(callerOf(request).accountId, { name, script, isPublic });
    const response: Contract.CreatedTemplate = { ...viewTemplate(created), created_at: created.createdAt };
    return reply.status(201).send(response);
  });

  instance.get('/api/templates', configured(listOperation), async (request): Promise<Contract.TemplateList> => {
    const owned = await templates.list(callerOf(request).accountId);
    return { templates: owned.map(viewListed) };
  });

  instance.get('/api/templates/:id', configured(retrieveOperation), async (request: TemplateRequest) => {
    const template = await templates.get(callerOf(request).accountId, request.params.id);
    return { ...viewListed(template), script: redactExports(template.script) };
  });

  const update = async (request: TemplateRequest): Promise<Contract.UpdatedTemplate> => {
    const changes = parseFields(checkChanges(request.body), parts.checkUrl);
    const changed = await templates.update(callerOf(request).accountId, request.params.id, changes);
    return { ...viewTemplate(changed), updated_at: changed.updatedAt };
  };
  instance.put('/api/templates/:id', configured({ ...updateOperation, id: 'replaceTemplateFields' }), update);
  instance.patch('/api/templates/:id', configured(updateOperation), update);

  instance.delete('/api/templates/:id', configured(deleteOperation), async (request: TemplateRequest): Promise<Contract.DeletedTemplate> => {
    await templates.delete(callerOf(request).accountId, request.params.id);
    return { deleted: true };
  });
}

function parseFields({ name, script, is_public: isPublic }: Contract.UpdateTemplateRequest, checkUrl: CheckUrl): TemplateChanges {
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
    const message = 'exports contains masked secrets (***), as in a retrieved template. Replace them with the secrets or with placeholders.';
    throw new AppError('SCHEMA_VALIDATION_ERROR', { message, path: 'script.exports' });
  }
}

function viewTemplate({ id, name, isPublic }: TemplateMetadata): Pick<Contract.Template, 'id' | 'name' | 'is_public'> {
  return { id, name, is_public: isPublic };
}

function viewListed(template: TemplateMetadata): Contract.ListedTemplate {
  return { ...viewTemplate(template), created_at: template.createdAt, updated_at: template.updatedAt };
}

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
    schema: requestSchema('CreateTemplateRequest'),
    examples: { greeting: { name: 'Greeting', script: { scenes: [{ duration: 4, elements: [{ type: 'text', text: 'Hello, {{name}}' }] }] } } },
  },
  responses: { 201: { description: 'The template is saved.', schema: schemaRef('CreatedTemplate'), example: { ...shown, created_at: at } } },
  errors: ['VALIDATION_ERROR', 'SCHEMA_VALIDATION_ERROR'],
};
const listOperation: Operation = {
  id: 'listTemplates',
  tag: 'Templates',
  summary: 'Your templates',
  description: 'Newest first, without scripts. Public templates of other accounts are not listed.',
  key: 'header',
  responses: {
    200: {
      description: 'All templates of the account.',
      schema: schemaRef('TemplateList'),
      example: { templates: [{ ...shown, created_at: at, updated_at: at }] },
    },
  },
};
const retrieveOperation: Operation = {
  id: 'getTemplate',
  tag: 'Templates',
  summary: 'One template with its script',
  description: 'Your own, or a public one.',
  key: 'header',
  parameters: idParameter,
  responses: { 200: { description: 'The template.', schema: schemaRef('Template'), example: { ...shown, script, created_at: at, updated_at: at } } },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
};
const updateOperation: Operation = {
  id: 'updateTemplate',
  tag: 'Templates',
  summary: 'Change a template',
  description: 'PUT and PATCH behave the same: absent fields keep their values. Only the owner may change a template.',
  key: 'header',
  parameters: idParameter,
  body: { schema: requestSchema('UpdateTemplateRequest'), examples: { rename: { name: 'Warm greeting' } } },
  responses: {
    200: { description: 'The template was changed.', schema: schemaRef('UpdatedTemplate'), example: { ...shown, name: 'Warm greeting', updated_at: at } },
  },
  errors: ['VALIDATION_ERROR', 'SCHEMA_VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND'],
};
const deleteOperation: Operation = {
  id: 'deleteTemplate',
  tag: 'Templates',
  summary: 'Delete a template permanently',
  description: 'Only the owner may delete a template. Jobs that were rendered from it remain.',
  key: 'header',
  parameters: idParameter,
  responses: { 200: { description: 'The template was deleted.', schema: schemaRef('DeletedTemplate'), example: { deleted: true } } },
  errors: ['FORBIDDEN', 'NOT_FOUND'],
};
