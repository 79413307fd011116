import type { Typography } from '../../movie.js';
import { Fields } from '../../validation/fields.js';
import { schemaPart } from '../../validation/schema.js';
import { parseDeclarations } from './declarations.js';
import { parseTypography } from './typography.js';

/** Parses the typography of a text inside a component, from properties named like those of text settings. */
export function parseTextLook(properties: Readonly<Record<string, unknown>>, path: string, canvas: { width: number; height: number }): Typography {
  const fields = new Fields({ object: properties, path, schema: schemaPart('textSettings') });
  // Font URLs are checked when they are fetched.
  return parseTypography(
    fields,
    '001',
    { canvas, checkUrl: () => undefined },
    { position: 'custom', widthIsAuto: true, heightIsAuto: true },
    parseDeclarations(properties, path),
  );
}
