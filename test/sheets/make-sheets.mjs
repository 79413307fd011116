#!/usr/bin/env node
/**
 * Renders movie scripts, published ones with media that cannot be reached too, and lays frames of each out on
 * a contact sheet to be looked at. Every URL is answered by a local server with media of the same kind.
 *
 *   npm run sheets -- --out FOLDER [--frames 12] [--keep] SCRIPT.json|FOLDER ...
 */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { drawSheet } from './contact-sheet.mjs';
import { servePlaceholders, withPlaceholders } from './placeholder-media.mjs';
import { renderScript } from './render-script.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, frames: { type: 'string', default: '12' } },
});
if (values.out === undefined || positionals.length === 0) {
  console.error('Usage: npm run sheets -- --out FOLDER [--frames N] SCRIPT.json|FOLDER ...');
  process.exit(2);
}

async function scriptsOf(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  return (await readdir(path))
    .filter((name) => extname(name) === '.json')
    .sort()
    .map((name) => join(path, name));
}

const scripts = (await Promise.all(positionals.map(scriptsOf))).flat();
await mkdir(values.out, { recursive: true });
const server = await servePlaceholders(join(values.out, 'media'));
let failed = 0;
try {
  for (const [index, path] of scripts.entries()) {
    const name = basename(path, '.json');
    const script = withPlaceholders(JSON.parse(await readFile(path, 'utf8')), server.origin);
    await server.prepare(script);
    const started = performance.now();
    const scriptPath = join(values.out, `${name}.script.json`);
    const moviePath = join(values.out, `${name}.mp4`);
    await writeFile(scriptPath, JSON.stringify(script, null, 2));
    const { code, output } = await renderScript(scriptPath, moviePath, server.host);
    if (code === 0) await drawSheet(moviePath, join(values.out, `${name}.png`), Number(values.frames));
    else failed += 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${index + 1}/${scripts.length} ${name}: ${code === 0 ? 'rendered' : 'FAILED'} in ${seconds} s${output === '' ? '' : `\n${output}`}`);
  }
} finally {
  server.close();
}
console.log(`${scripts.length - failed} of ${scripts.length} scripts rendered; sheets are in ${values.out}`);
process.exitCode = failed === 0 ? 0 : 1;
