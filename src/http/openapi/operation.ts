import type { JsonSchema, PublicErrorCode } from '../../contract/index.js';

/** Description of a route in the OpenAPI document and on the reference page. */
export interface Operation {
  id: string;
  tag: 'Render' | 'Preview' | 'Jobs' | 'Templates' | 'Service';
  summary: string;
  description?: string;
  /** Where the API key is accepted. */
  key: 'header' | 'header or query' | 'none';
  parameters?: Readonly<Partial<Record<'path' | 'query' | 'header', Readonly<Record<string, JsonSchema>>>>>;
  /** The body is validated against the same schema. */
  body?: { schema: JsonSchema; examples: Readonly<Record<string, unknown>> };
  /** By HTTP status. */
  responses: Readonly<Record<number, OperationResponse>>;
  /** Codes beyond those that every request can get. */
  errors?: readonly PublicErrorCode[];
}

export interface OperationResponse {
  description: string;
  /** Media type; default: application/json. */
  type?: string;
  schema: JsonSchema;
  example?: unknown;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Schema of the path parameter `job_id`. */
export const jobIdParameter: JsonSchema = { type: 'string', format: 'uuid', description: 'Identifier of the job.' };
