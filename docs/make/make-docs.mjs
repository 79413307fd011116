#!/usr/bin/env node
/**
 * Writes the reference of the script language from the movie schema and renders its images with the engine.
 *
 *   npm run docs                 the texts and the images that are missing
 *   npm run docs -- --images   all images anew
 *   npm run docs -- --text       the texts alone
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { drawImages } from './images.mjs';
import { scriptReference } from './script-reference.mjs';
import { drawStudio } from './studio-screenshot.mjs';

const { movieSchema } = await import('../../dist/script/index.js');
const docs = fileURLToPath(new URL('..', import.meta.url));
const option = process.argv[2];

await writeFile(`${docs}script.md`, scriptReference(movieSchema));
console.log('wrote docs/script.md');
if (option !== '--text') {
  await mkdir(`${docs}images`, { recursive: true });
  await drawImages(docs, option === '--images');
  await drawStudio(docs, option === '--images');
}
