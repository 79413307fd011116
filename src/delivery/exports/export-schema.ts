import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../contract/index.js';

/** JSON Schema (2020-12) of a script's `exports`. All `$defs` are named `export…`, so they can be merged into another schema. */
export const exportsSchema = JSON.parse(readFileSync(new URL('../../../schema/exports.schema.json', import.meta.url), 'utf8')) as JsonSchema;

/** Looks up a definition in `$defs`; throws when there is none. */
export function schemaDefinition(name: string): JsonSchema {
  const part = exportsSchema.$defs?.[name];
  if (part === undefined) throw new Error(`the exports schema has no definition "${name}"`);
  return part;
}

/** Follows a `$ref` into `$defs`; returns other nodes unchanged. */
export function resolveRef(node: JsonSchema): JsonSchema {
  const name = node.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1];
  return name === undefined ? node : schemaDefinition(name);
}

/** All target types, e.g. `s3`. */
export const exportTypes = (schemaDefinition('exportTarget').properties?.type?.enum ?? []) as string[];

/** The definition of a target type, e.g. `exportS3` for `s3`. */
export function definitionOfType(type: string): JsonSchema {
  return schemaDefinition(`export${type.charAt(0).toUpperCase()}${type.slice(1)}`);
}

/** Required field names in their underscore spelling; scripts may use hyphens instead. */
export function requiredNames(part: JsonSchema): string[] {
  const either = (part.allOf ?? []).flatMap((group) => group.anyOf?.[0]?.required ?? []);
  return [...(part.required ?? []), ...either];
}
