/** A program: builds the page of src/studio into dist/studio, each of its files compressed beside itself. The set-up runs this. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { inRoot } from './paths.mjs';

const made = inRoot('dist', 'studio');
const making = inRoot('dist', `studio.${process.pid}.part`);

await build({
  configFile: false,
  root: inRoot('src', 'studio'),
  // Wherever a proxy puts the service, the page finds its files beside itself.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  css: { transformer: 'lightningcss' },
  build: {
    outDir: making,
    assetsDir: 'studio',
    emptyOutDir: true,
    // Nothing as data: addresses, which the page's policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
  },
});

for (const entry of readdirSync(join(making, 'studio'))) {
  if (!/\.(js|css|svg)$/.test(entry)) continue;
  const path = join(making, 'studio', entry);
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}
rmSync(made, { recursive: true, force: true });
renameSync(making, made);
