import type { FastifyInstance } from 'fastify';
import { errorTable, type PublicErrorCode } from '../../errors/index.js';
import type { Operation, OperationResponse } from './operation.js';
import { componentSchemas, schemaRef } from './schemas.js';

/** A route with its description. */
export interface DescribedRoute {
  /** Lower case. */
  method: string;
  /** Path template of OpenAPI, for example `/api/jobs/{job_id}`. */
  path: string;
  operation: Operation;
}

/** Collects the routes with an `operation` that are registered after this call. */
export function collectOperations(instance: FastifyInstance): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = [];
  instance.addHook('onRoute', ({ method, url, config }) => {
    const operation = config?.operation;
    if (operation === undefined) return;
    const methods = [method].flat().filter((name) => name !== 'HEAD');
    routes.push(...methods.map((name) => ({ method: name.toLowerCase(), path: url.replaceAll(/:(\w+)/g, '{$1}'), operation })));
  });
  return routes;
}

/** The OpenAPI 3.1 document of the routes. */
export function createOpenApiDocument(routes: readonly DescribedRoute[], publicUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, operation } of routes) paths[path] = { ...paths[path], [method]: describeOperation(operation) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Framewright',
      version: '1',
      summary: 'Turns JSON movie scripts into video files.',
      description:
        'Send an API key in the header x-api-key. Keys that start with ve_live_ consume credits; ve_test_ keys run everything except rendering and cost nothing.',
      license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
    },
    servers: [{ url: publicUrl }],
    tags: ['Render', 'Preview', 'Jobs', 'Templates', 'Service'].map((name) => ({ name })),
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        keyInQuery: { type: 'apiKey', in: 'query', name: 'apiKey', description: 'For EventSource in browsers, which cannot set headers.' },
      },
      headers: rateHeaders,
    },
  };
}

const rateHeaders = {
  'X-RateLimit-Limit': { description: 'Maximum number of requests in a window of 60 seconds.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': { description: 'Unix time at which the window ends.', schema: { type: 'integer' } },
};
const rateHeaderLinks = Object.fromEntries(Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } };

function describeOperation(operation: Operation): object {
  const { id, tag, summary, description, key, parameters = {}, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: key === 'none' ? [] : [{ key: [] }, ...(key === 'header' ? [] : [{ keyInQuery: [] }])],
    parameters: Object.entries(parameters).flatMap(([location, fields]) =>
      Object.entries(fields).map(([name, schema]) => ({ name, in: location, required: location === 'path', schema })),
    ),
    ...(body !== undefined && { requestBody: { required: true, content: { 'application/json': { schema: body.schema, examples: named(body.examples) } } } }),
    responses: { ...mapValues(operation.responses, describeResponse), ...describeErrors(operation) },
  };
}

function describeResponse({ description, type = 'application/json', schema, example }: OperationResponse): object {
  return { description, headers: rateHeaderLinks, content: { [type]: { schema, ...(example !== undefined && { example }) } } };
}

/** One response per status, with an example of each code. */
function describeErrors(operation: Operation): object {
  const codes = new Set<PublicErrorCode>(operation.errors);
  if (operation.key !== 'none') codes.add('UNAUTHORIZED');
  if (operation.tag !== 'Service') codes.add('RATE_LIMIT_EXCEEDED');
  if (operation.body !== undefined) codes.add('INVALID_JSON');
  codes.add('INTERNAL_ERROR');
  const statuses: Record<number, { description: string; examples: object }> = {};
  for (const code of codes) {
    const { status, message } = errorTable[code];
    const example = {
      error: { code, message, ...(code.includes('VALIDATION') && { path: '' }), ...(code === 'INSUFFICIENT_CREDITS' && { required: 4, balance: 1 }) },
    };
    const { description = '', examples = {} } = statuses[status] ?? {};
    statuses[status] = { description: `${description} ${message}`.trim(), examples: { ...examples, ...named({ [code]: example }) } };
  }
  const responses = Object.entries(statuses).map(([status, { description, examples }]) => {
    const headers = { ...rateHeaderLinks, ...(status === '429' && retryAfter) };
    return [status, { description, headers, content: { 'application/json': { schema: schemaRef('Error'), examples } } }];
  });
  return { ...Object.fromEntries(responses), ...(operation.key !== 'none' && unavailable), ...(operation.body !== undefined && bodyErrors) };
}

const unavailable = {
  503: {
    ...describeResponse({ description: 'The database is not available for now; send the request again.', schema: schemaRef('Error') }),
    headers: { ...rateHeaderLinks, ...retryAfter },
  },
};

const bodyErrors = {
  413: describeResponse({ description: 'The body is too large.', schema: schemaRef('Error') }),
  415: describeResponse({ description: 'The body is not sent as application/json.', schema: schemaRef('Error') }),
};

function named(examples: Readonly<Record<string, unknown>>): Record<string, { value: unknown }> {
  return mapValues(examples, (value) => ({ value }));
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
