import { readFileSync } from 'node:fs';

/** The subset of JSON Schema keywords that the parser reads: names, limits, defaults and secrecy are defined in the schema only. */
export interface ExportNode {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  writeOnly?: boolean;
  required?: string[];
  properties?: Record<string, ExportNode>;
  items?: ExportNode;
  allOf?: ExportNode[];
  anyOf?: ExportNode[];
  $defs?: Record<string, ExportNode>;
}

const document = JSON.parse(readFileSync(new URL('../../../schema/exports.schema.json', import.meta.url), 'utf8')) as ExportNode;

/** JSON Schema (2020-12) of a script's `exports`. All `$defs` are named `export…`, so they can be merged into another schema. */
export const exportsSchema: Readonly<Record<string, unknown>> = document as Record<string, unknown>;

/** Looks up a definition in `$defs`; throws when there is none. */
export function schemaDefinition(name: string): ExportNode {
  const part = document.$defs?.[name];
  if (part === undefined) throw new Error(`the exports schema has no definition "${name}"`);
  return part;
}

/** Follows a `$ref` into `$defs`; returns other nodes unchanged. */
export function resolveRef(node: ExportNode): ExportNode {
  const name = node.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1];
  return name === undefined ? node : schemaDefinition(name);
}

/** All target types, e.g. `s3`. */
export const exportTypes = (schemaDefinition('exportTarget').properties?.type?.enum ?? []) as string[];

/** The definition of a target type, e.g. `exportS3` for `s3`. */
export function definitionOfType(type: string): ExportNode {
  return schemaDefinition(`export${type.charAt(0).toUpperCase()}${type.slice(1)}`);
}

/** Required field names in their underscore spelling; scripts may use hyphens instead. */
export function requiredNames(part: ExportNode): string[] {
  const either = (part.allOf ?? []).flatMap((group) => group.anyOf?.[0]?.required ?? []);
  return [...(part.required ?? []), ...either];
}
