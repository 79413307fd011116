/**
 * A program: joins the modules of the command line and of render processes into a few files below dist/bundle, runs the command line once
 * and keeps what V8 compiled meanwhile. Without a bundle all works, but starts later. The set-up runs this once the TypeScript is compiled.
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
const kept = 2;
/** Small and without side effects; everything else of node_modules is loaded from there, when it is needed. */
const joined = new Set(['commander', 'ipaddr.js']);

/** What a frame is drawn by when nothing about it is new: each file takes a start a third of a millisecond. */
const groups = [
  { name: 'ground', test: /\/dist\/(config|errors|engine)\// },
  { name: 'frame', test: /\/dist\/cli\/(movie-file\.js|frame-cache\/cache-opt-out|commands\/movies\/frame\.js|local-render|options|paint|exit-codes)/ },
  { name: 'kept', test: /\/dist\/(storage\/cache\/|cli\/frame-cache\/(?!cache-opt-out))/ },
].map((group) => ({ ...group, includeDependenciesRecursively: false }));

/** Modules find files by their own place, which is another in a bundle. */
const places = {
  name: 'places',
  transform(code, id) {
    if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
    const path = JSON.stringify(relative(dist, id));
    return { code: code.replaceAll('import.meta.url', `__placeOf(${path})`), map: null };
  },
  resolveId(source, importer) {
    if (importer !== undefined && /\/precompiled\/index\.js$/.test(source)) return { id: 'framewright:precompiled', external: true };
    return null;
  },
};
/** Each bundle lies two folders below dist. */
const banner = `const __placeOf = (path) => require('node:url').pathToFileURL(require('node:path').join(__dirname, '../..', path)).href;`;
/** Scripts cannot import by themselves. Put in front of what is joined already: the bundler leaves out what nothing calls yet. */
const importer = `const __import = (name) => require('framewright:precompiled').importModule(name);\n`;

/** Node loads its cryptography for 3 ms: when it is first called, which for a frame is while the engine starts. */
function lateCrypto(code) {
  return code.replace('let node_crypto = require("node:crypto");\n', '').replace(/\bnode_crypto\b(?=\.)/g, 'require("node:crypto")');
}

async function joinModules() {
  const build = await rolldown({
    input: { cli: join(dist, 'cli', 'run-cli.js'), worker: join(dist, 'render-worker.js'), preview: join(dist, 'preview', 'drawing', 'preview-process.js') },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !joined.has(id),
    plugins: [places],
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
  return chunks.map(({ fileName, code }) => ({ fileName, code: inAscii(importer + lateCrypto(code).replace(/\bimport\((?=["'`])/g, '__import(')) }));
}

/** Beside those that are there: a process that runs still loads parts of its own. */
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

/** All but the newest ones. */
function removeOldBundles(current) {
  const others = readdirSync(bundles, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== current);
  const byAge = others.map(({ name }) => ({ name, at: statSync(join(bundles, name)).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(kept)) rmSync(join(bundles, name), { recursive: true });
}

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

/** What most runs of the command line do. */
async function runOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'framewright-set-up-'));
  try {
    const movie = join(folder, 'movie.json');
    const elements = [
      { type: 'image', src: 'dot.png', zoom: 2, 'fade-in': 0.1 },
      { type: 'text', text: 'Set up', font: 'Inter', x: 0, y: 0, width: 160, height: 90 },
      { type: 'text', text: 'Set up', style: '003', position: 'center-center', settings: { 'font-size': '20px', 'font-family': 'Inter', color: '#fff' } },
    ];
    writeFileSync(join(folder, 'dot.png'), Buffer.from(dot, 'base64'));
    writeFileSync(movie, JSON.stringify({ width: 160, height: 90, scenes: [{ duration: 0.2, elements }] }));
    // Nothing that was written a moment ago: the second frame is drawn by what the first has kept.
    const settled = join(folder, 'texts.json');
    writeFileSync(settled, JSON.stringify({ width: 160, height: 90, scenes: [{ duration: 0.2, elements: elements.slice(1) }] }));
    process.env.FRAMEWRIGHT_CACHE_DIR = join(folder, 'cache');
    const { runCli } = loadBundle('cli');
    for (const args of [
      ['frame', movie, '--at', '0', '-o', join(folder, 'frame.png'), '--no-cache'],
      ['frame', settled, '--at', '0', '-o', join(folder, 'frame.png')],
      ['frame', settled, '--at', '0', '-o', join(folder, 'frame.png')],
      ['validate', movie],
      ['render', movie, '-o', join(folder, 'movie.mp4'), '--no-cache'],
    ]) {
      const code = await runCli(args);
      if (code !== 0) console.error(`${args[0]} ended with ${code}: V8 keeps nothing of what comes after`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const folder = writeBundle(await joinModules());
// V8 forgets the code of functions that have not run for a while, and takes kept code from the same flags alone.
setFlagsFromString('--no-flush-bytecode');
await runOnce();
setFlagsFromString('--flush-bytecode');
writeCodeCaches();
removeOldBundles(folder);
