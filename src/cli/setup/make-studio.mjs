/** Program: builds src/studio into dist/studio, with compressed copies of its files. Run by set-up. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { inRoot } from './paths.mjs';

const target = inRoot('dist', 'studio');
const building = inRoot('dist', `studio.${process.pid}.part`);

await build({
  configFile: false,
  root: inRoot('src', 'studio'),
  // Relative, so that Studio works under any path of a proxy.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  css: { transformer: 'lightningcss' },
  build: {
    outDir: building,
    assetsDir: 'studio',
    emptyOutDir: true,
    // No data: URLs, because the content security policy forbids them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
  },
});

for (const entry of readdirSync(join(building, 'studio'))) {
  if (!/\.(js|css|svg)$/.test(entry)) continue;
  const path = join(building, 'studio', entry);
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}
rmSync(target, { recursive: true, force: true });
renameSync(building, target);
