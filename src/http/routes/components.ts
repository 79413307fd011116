import type { FastifyInstance } from 'fastify';
import type { ComponentList, InstalledComponent } from '../../contract/index.js';
import type { Operation } from '../openapi/operation.js';
import { schemaRef } from '../openapi/schemas.js';

export interface ComponentsRouteParts {
  listComponents: () => InstalledComponent[];
}

export function registerComponentsRoute(instance: FastifyInstance, { listComponents }: ComponentsRouteParts): void {
  instance.get('/api/components', { config: { operation: componentsOperation } }, async (): Promise<ComponentList> => ({ components: listComponents() }));
}

const example: InstalledComponent = {
  id: 'basic/052',
  title: 'One-line lower third',
  description: 'A label and a headline on one line.',
  settings: { type: 'object', properties: { headline: { type: 'object', properties: { text: { type: 'string' } } } } },
  preview: { settings: { headline: { text: 'One line says it all' } }, at: [0.25, 0.6, 2.5], seconds: 3 },
};

const componentsOperation: Operation = {
  id: 'listComponents',
  tag: 'Service',
  summary: 'The installed components',
  description: 'Components of the packs that ship with the service and of packs that the operator has installed.',
  key: 'header',
  responses: { 200: { description: 'All installed components.', schema: schemaRef('ComponentList'), example: { components: [example] } } },
};
