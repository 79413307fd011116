import type { PublicErrorCode } from '../../errors/index.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the interface's description says of one route. Bodies and queries are checked by these same schemas. */
export interface Operation {
  id: string;
  tag: 'Render' | 'Preview' | 'Jobs' | 'Templates' | 'Service';
  summary: string;
  description?: string;
  /** How the API key may come. */
  key: 'header' | 'header or query' | 'none';
  parameters?: Readonly<Partial<Record<'path' | 'query' | 'header', Readonly<Record<string, JsonSchema>>>>>;
  body?: { schema: JsonSchema; examples: Readonly<Record<string, unknown>> };
  answers: Readonly<Record<number, Answer>>;
  /** Besides those that any request may get. */
  errors?: readonly PublicErrorCode[];
}

export interface Answer {
  description: string;
  /** Default: application/json. */
  type?: string;
  schema: JsonSchema;
  example?: unknown;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** A part of the description that has a name. */
export function part(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
