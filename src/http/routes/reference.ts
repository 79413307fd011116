import type { FastifyInstance } from 'fastify';
import { createOpenApiDocument, type DescribedRoute } from '../openapi/openapi-document.js';
import type { Operation } from '../openapi/operation.js';
import { renderReferencePage } from '../openapi/reference-page.js';

export interface ReferenceRouteParts {
  routes: readonly DescribedRoute[];
  /** Known once the server listens. */
  publicUrl: () => string;
}

export function registerReferenceRoutes(instance: FastifyInstance, { routes, publicUrl }: ReferenceRouteParts): void {
  instance.get('/api/openapi.json', { config: { public: true, operation: openapiOperation } }, async () => createOpenApiDocument(routes, publicUrl()));

  instance.get('/docs', { config: { public: true } }, async (_request, reply) => {
    reply.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    return reply.type('text/html; charset=utf-8').send(renderReferencePage(routes, publicUrl()));
  });
}

const openapiOperation: Operation = {
  id: 'openapi',
  tag: 'Service',
  summary: 'This description as OpenAPI 3.1',
  description: 'The same as a web page: /docs.',
  key: 'none',
  responses: { 200: { description: 'OpenAPI document.', schema: { type: 'object' } } },
};
