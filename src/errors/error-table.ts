import { readFileSync } from 'node:fs';

export type PublicErrorCode =
  | 'INVALID_JSON'
  | 'SCHEMA_VALIDATION_ERROR'
  | 'VALIDATION_ERROR'
  | 'INVALID_REQUEST'
  | 'UNAUTHORIZED'
  | 'INSUFFICIENT_CREDITS'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'TEMPLATE_NOT_FOUND'
  | 'RATE_LIMIT_EXCEEDED'
  | 'CONCURRENCY_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'RENDER_FAILED';

export interface ErrorRow {
  code: PublicErrorCode;
  status: number;
  message: string;
  retryable: boolean;
}

interface ErrorDocument {
  public: ErrorRow[];
  engine: Array<{ code: string; public: PublicErrorCode; meaning: string }>;
}

const document = JSON.parse(readFileSync(new URL('../../schema/error-codes.json', import.meta.url), 'utf8')) as ErrorDocument;

/** Public codes with their HTTP status and default text, from schema/error-codes.json. */
export const errorTable = Object.freeze(Object.fromEntries(document.public.map((row) => [row.code, row]))) as Readonly<Record<PublicErrorCode, ErrorRow>>;

/** Engine code → public code. */
export const engineErrorTable: Readonly<Record<string, PublicErrorCode>> = Object.freeze(
  Object.fromEntries(document.engine.map((row) => [row.code, row.public])),
);
