#!/usr/bin/env node
/**
 * `npm run test:media -- FOLDER`: renders every media file below a folder and compares the result with an independent decode (ffmpeg for
 * video and audio, ImageMagick for images). Prints a table of results, time error, colour error and audio's lag behind the video; exits with 1 if a file looks
 * or sounds wrong. Meant for files that come with bug reports, and for collections of footage.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkFile } from './check-file.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, seconds: { type: 'string', default: '3' }, only: { type: 'string' }, max: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined || !existsSync(folder)) {
  console.error('Usage: npm run test:media -- FOLDER [--only TEXT] [--max FILES] [--seconds 3] [--json FILE]');
  process.exit(2);
}

function listFiles(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : []));
}

const files = listFiles(resolve(folder))
  .filter((path) => values.only === undefined || path.includes(values.only))
  .slice(0, values.max === undefined ? undefined : Number(values.max));
const work = mkdtempSync(join(tmpdir(), 'framewright-media-'));
const rows = [];
try {
  for (const path of files) {
    const row = { file: relative(resolve(folder), path) || path, ...checkFile(path, work, Number(values.seconds)) };
    if (row.result === 'no media') continue;
    rows.push(row);
    console.log(describe(row));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function describe({ file, result, timeError, colorError, syncError, note }) {
  const number = (value, digits, unit) => (value === undefined ? '–' : `${value.toFixed(digits)}${unit}`).padStart(9);
  return `${result.padEnd(8)} ${number(timeError, 2, ' fr')} ${number(colorError, 1, '')} ${number(syncError, 0, ' ms')}  ${file}${note === undefined ? '' : `: ${note}`}`;
}

const count = (result) => rows.filter((row) => row.result === result).length;
const worst = (name) => Math.max(0, ...rows.map((row) => Math.abs(row[name] ?? 0)));
const mean = (name) => {
  const numbers = rows.map((row) => row[name]).filter((value) => value !== undefined);
  return numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + Math.abs(value), 0) / numbers.length;
};
console.log(`\n${rows.length} files: ${['ok', 'wrong', 'refused', 'unread'].map((result) => `${count(result)} ${result}`).join(', ')}`);
console.log(`time error (frames): mean ${mean('timeError').toFixed(3)}, worst ${worst('timeError').toFixed(2)}`);
console.log(`colour error (levels of 255): mean ${mean('colorError').toFixed(2)}, worst ${worst('colorError').toFixed(1)}`);
console.log(`audio against video (ms): mean ${mean('syncError').toFixed(1)}, worst ${worst('syncError').toFixed(0)}`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(rows, null, 1));
process.exitCode = count('wrong') > 0 ? 1 : 0;
