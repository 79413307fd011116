import { readFileSync } from 'node:fs';

/** The parts of the schema that this folder reads: names, limits, defaults and secrecy have one home. */
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

/** JSON Schema (2020-12) of a script's `exports`; all it defines is named export…, so its `$defs` fit into another schema. */
export const exportsSchema: Readonly<Record<string, unknown>> = document as Record<string, unknown>;

/** A named part of the schema, with its `$ref` followed. */
export function schemaDefinition(name: string): ExportNode {
  const part = document.$defs?.[name];
  if (part === undefined) throw new Error(`the exports schema has no part "${name}"`);
  return part;
}

export function resolveRef(node: ExportNode): ExportNode {
  const name = node.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1];
  return name === undefined ? node : schemaDefinition(name);
}

export const exportTypes = (schemaDefinition('exportTarget').properties?.type?.enum ?? []) as string[];

export function definitionOfType(type: string): ExportNode {
  return schemaDefinition(`export${type.charAt(0).toUpperCase()}${type.slice(1)}`);
}

/** Names that must be given, spelled with underscores; either spelling will do. */
export function requiredNames(part: ExportNode): string[] {
  const either = (part.allOf ?? []).flatMap((group) => group.anyOf?.[0]?.required ?? []);
  return [...(part.required ?? []), ...either];
}
