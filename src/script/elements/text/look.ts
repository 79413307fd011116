import type { Typography } from '../../movie.js';
import { Fields } from '../../validation/fields.js';
import { schemaPart } from '../../validation/schema.js';
import { parseDeclarations } from './declarations.js';
import { parseTypography } from './typography.js';

/** The look of a text that is no element of its own, from properties named as those of a text's settings. */
export function parseTextLook(properties: Readonly<Record<string, unknown>>, path: string, canvas: { width: number; height: number }): Typography {
  const fields = new Fields({ object: properties, path, schema: schemaPart('textSettings') });
  // Whoever fetches a font that is named here checks its address then.
  return parseTypography(
    fields,
    '001',
    { canvas, checkUrl: () => undefined },
    { position: 'custom', widthIsAuto: true, heightIsAuto: true },
    parseDeclarations(properties, path),
  );
}
