#!/usr/bin/env node
/**
 * Writes the reference of the script language from the movie schema, and draws its pictures with the engine.
 *
 *   npm run docs                 the text and the pictures that are missing
 *   npm run docs -- --pictures   all pictures anew
 *   npm run docs -- --text       the text alone
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { drawPictures } from './pictures.mjs';
import { scriptReference } from './script-reference.mjs';

const { movieSchema } = await import('../../dist/movie/index.js');
const docs = fileURLToPath(new URL('..', import.meta.url));
const option = process.argv[2];

await writeFile(`${docs}script.md`, scriptReference(movieSchema));
console.log('wrote docs/script.md');
if (option !== '--text') {
  await mkdir(`${docs}pictures`, { recursive: true });
  await drawPictures(docs, option === '--pictures');
}
