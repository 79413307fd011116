/**
 * Program: bundles the modules of the command line and of render processes into a few files in dist/bundle, runs the command line once
 * and stores V8's code caches. Run by set-up after TypeScript is compiled. Without a bundle everything works, but starts slower.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { rolldown } from 'rolldown';
import { describeBuild, glanceAtBuild, inAscii, loadBundle, writeCodeCaches } from '../../../dist/config/precompiled/index.js';
import { inRoot } from './paths.mjs';

const dist = inRoot('dist');
const bundles = join(dist, 'bundle');
/** Number of older bundles that are not deleted. */
const maxOldBundles = 2;
/** Packages that are bundled, because they are small and free of side effects; others are loaded from node_modules. */
const bundledPackages = new Set(['commander', 'ipaddr.js']);

/** Chunks that a cached frame loads. They are few, because each file adds a third of a millisecond to the start. */
const groups = [
  { name: 'base', test: /\/dist\/(config|errors|engine)\// },
  { name: 'frame', test: /\/dist\/cli\/(movie-file\.js|frame-cache\/cache-opt-out|commands\/movies\/frame\.js|local-render|options|paint|exit-codes)/ },
  { name: 'frame-cache', test: /\/dist\/(storage\/cache\/|cli\/frame-cache\/(?!cache-opt-out))/ },
].map((group) => ({ ...group, includeDependenciesRecursively: false }));

/** Replaces import.meta.url, which would be the URL of the bundle, by the URL of the original module. */
const moduleUrls = {
  name: 'module-urls',
  transform(code, id) {
    if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
    const path = JSON.stringify(relative(dist, id));
    return { code: code.replaceAll('import.meta.url', `__urlOf(${path})`), map: null };
  },
  resolveId(source, importer) {
    if (importer !== undefined && /\/precompiled\/index\.js$/.test(source)) return { id: 'framewright:precompiled', external: true };
    return null;
  },
};
/** Bundles are two folders below dist. */
const banner = `const __urlOf = (path) => require('node:url').pathToFileURL(require('node:path').join(__dirname, '../..', path)).href;`;
/** Scripts cannot use import(). Prepended after bundling, because the bundler would remove the unused function. */
const importFunction = `const __import = (name) => require('framewright:precompiled').importModule(name);\n`;

/** Loading node:crypto takes 3 ms, so it is loaded at its first use; for a frame that is while the engine starts. */
function loadCryptoLazily(code) {
  return code.replace('let node_crypto = require("node:crypto");\n', '').replace(/\bnode_crypto\b(?=\.)/g, 'require("node:crypto")');
}

async function bundleModules() {
  const build = await rolldown({
    input: { cli: join(dist, 'cli', 'run-cli.js'), worker: join(dist, 'render-worker.js'), preview: join(dist, 'preview', 'drawing', 'preview-process.js') },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !bundledPackages.has(id),
    plugins: [moduleUrls],
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    banner,
    codeSplitting: { groups },
  });
  await build.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  return chunks.map(({ fileName, code }) => ({
    fileName,
    code: inAscii(importFunction + loadCryptoLazily(code).replace(/\bimport\((?=["'`])/g, '__import(')),
  }));
}

/** Writes a new folder: running processes still load chunks of older bundles. */
function writeBundle(chunks) {
  const hash = createHash('sha256');
  for (const { fileName, code } of chunks) hash.update(`${fileName}\0${code}\0`);
  const folder = hash.digest('hex').slice(0, 16);
  mkdirSync(join(bundles, folder), { recursive: true });
  for (const { fileName, code } of chunks) writeFileSync(join(bundles, folder, fileName), code);
  writeFileSync(join(bundles, 'current.json.part'), JSON.stringify({ folder, madeFrom: describeBuild(), seen: glanceAtBuild() }));
  renameSync(join(bundles, 'current.json.part'), join(bundles, 'current.json'));
  return folder;
}

/** Deletes all but the newest bundles. */
function removeOldBundles(current) {
  const others = readdirSync(bundles, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== current);
  const byAge = others.map(({ name }) => ({ name, at: statSync(join(bundles, name)).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(maxOldBundles)) rmSync(join(bundles, name), { recursive: true });
}

const pngBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

/** Runs the usual commands, so that V8 compiles their code. */
async function warmUp() {
  const folder = mkdtempSync(join(tmpdir(), 'framewright-set-up-'));
  try {
    const movie = join(folder, 'movie.json');
    const elements = [
      { type: 'image', src: 'dot.png', zoom: 2, 'fade-in': 0.1 },
      { type: 'text', text: 'Set up', font: 'Inter', x: 0, y: 0, width: 160, height: 90 },
      { type: 'text', text: 'Set up', style: '003', position: 'center-center', settings: { 'font-size': '20px', 'font-family': 'Inter', color: '#fff' } },
    ];
    writeFileSync(join(folder, 'dot.png'), Buffer.from(pngBase64, 'base64'));
    writeFileSync(movie, JSON.stringify({ width: 160, height: 90, scenes: [{ duration: 0.2, elements }] }));
    // Without recently written media, so that the second frame uses the cached plan of the first.
    const cacheable = join(folder, 'texts.json');
    writeFileSync(cacheable, JSON.stringify({ width: 160, height: 90, scenes: [{ duration: 0.2, elements: elements.slice(1) }] }));
    process.env.FRAMEWRIGHT_CACHE_DIR = join(folder, 'cache');
    const { runCli } = loadBundle('cli');
    for (const args of [
      ['frame', movie, '--at', '0', '-o', join(folder, 'frame.png'), '--no-cache'],
      ['frame', cacheable, '--at', '0', '-o', join(folder, 'frame.png')],
      ['frame', cacheable, '--at', '0', '-o', join(folder, 'frame.png')],
      ['validate', movie],
      ['render', movie, '-o', join(folder, 'movie.mp4'), '--no-cache'],
    ]) {
      const code = await runCli(args);
      if (code !== 0) console.error(`${args[0]} exited with code ${code}: the code caches are incomplete`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const folder = writeBundle(await bundleModules());
// V8 discards bytecode of functions that have not run for a while. Code caches must be created with the flags that they are used with.
setFlagsFromString('--no-flush-bytecode');
await warmUp();
setFlagsFromString('--flush-bytecode');
writeCodeCaches();
removeOldBundles(folder);
