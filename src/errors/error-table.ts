import { readFileSync } from 'node:fs';
import type { PublicErrorCode } from '../contract/index.js';

interface ErrorRow {
  code: PublicErrorCode;
  /** HTTP status. */
  status: number;
  message: string;
}

interface ErrorDocument {
  public: ErrorRow[];
  engine: Array<{ code: string; public: PublicErrorCode }>;
}

const document = JSON.parse(readFileSync(new URL('../../schema/error-codes.json', import.meta.url), 'utf8')) as ErrorDocument;

/** HTTP status and default message by public code, from schema/error-codes.json. */
export const errorTable = Object.freeze(Object.fromEntries(document.public.map((row) => [row.code, row]))) as Readonly<Record<PublicErrorCode, ErrorRow>>;

/** Public code by engine code. */
export const engineErrorTable: Readonly<Record<string, PublicErrorCode>> = Object.freeze(
  Object.fromEntries(document.engine.map((row) => [row.code, row.public])),
);
