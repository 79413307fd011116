import { readFileSync } from 'node:fs';
import type { PublicErrorCode } from '../contract/index.js';

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
