import type { FastifyInstance } from 'fastify';
import { type Operation, part } from '../openapi/operation.js';

/** A component that scripts may name. */
export interface InstalledComponent {
  /** `pack/name`. */
  id: string;
  title: string;
  description: string;
  /** JSON Schema. */
  settings: object;
  /** Settings that show it well, as far as they need no files of its pack. */
  preview: { settings: Readonly<Record<string, unknown>>; at: readonly number[]; seconds: number };
}

export interface ComponentsRouteParts {
  listComponents: () => InstalledComponent[];
}

export function registerComponentsRoute(instance: FastifyInstance, { listComponents }: ComponentsRouteParts): void {
  instance.get('/api/components', { config: { operation: componentsOperation } }, async () => ({ components: listComponents() }));
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
  description: 'Of the packs that come with the service and of the operator’s own.',
  key: 'header',
  answers: { 200: { description: 'All of them.', schema: part('ComponentList'), example: { components: [example] } } },
};
