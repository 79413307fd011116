import type { JsonSchema } from '../../contract/index.js';
import { definitionOfType, exportTypes, resolveRef } from './export-schema.js';

const MASK = '***';

/** Names of fields that are safe to log: those that the schema does not mark as secret in any target. */
const shown: ReadonlySet<string> = new Set([
  'destinations',
  ...exportTypes.flatMap((type) => Object.entries(definitionOfType(type).properties ?? {})).flatMap(([name, node]) => (isSecret(name, node) ? [] : [name])),
]);

/** Copies a script for logs and responses: secrets and unknown fields in its `exports` are masked. */
export function redactExports(script: unknown): unknown {
  if (typeof script !== 'object' || script === null || !Object.hasOwn(script, 'exports')) return script;
  return { ...script, exports: redact((script as { exports: unknown }).exports) };
}

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value === null ? null : MASK;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shown.has(key) ? redactKnown(key, field) : mask(field)]));
}

function redactKnown(key: string, value: unknown): unknown {
  if (key === 'destinations') return redact(value);
  if (typeof value === 'string') return key === 'endpoint' ? withoutCredentials(value) : value;
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' && item !== null ? MASK : item));
  return typeof value === 'object' && value !== null ? MASK : value;
}

function mask(value: unknown): unknown {
  return value === null ? null : MASK;
}

/** Ignored fields count as secret because they may contain anything. */
function isSecret(name: string, node: JsonSchema): boolean {
  return resolveRef(node).writeOnly === true || name === 'client-data' || name === 'client_data' || name === 'comment';
}

/** Masks everything but the origin: receivers' URLs often carry a secret in the user, the query or the path. */
function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return MASK;
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === '/' ? '/' : `/${MASK}`}`;
}
