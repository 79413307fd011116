import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeExampleMedia } from '../../dist/cli/demo/example-media.js';
import { withLocalRender } from '../../dist/cli/local-render.js';
import { loadConfig } from '../../dist/config/index.js';
import { planDistributed, renderDistributedSegment, stitchDistributed } from '../../dist/render/index.js';

/**
 * What the steps of real movies take on this machine, one after the other, in milliseconds: the three steps that hosts of a
 * farm do, with the engine that does them there. `node bench/farm/sample.mjs OUT.json [ROUNDS]`
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [out = join(root, 'bench', 'farm', 'samples.json'), rounds = '2'] = process.argv.slice(2);

const folder = await mkdtemp(join(tmpdir(), 'framewright-samples-'));
await makeExampleMedia(folder);
const config = loadConfig({ PATH: process.env.PATH, HOME: process.env.HOME });

/** A typical personalised video: short scenes of text over animated colours. */
const personal = {
  width: 1280,
  height: 720,
  scenes: Array.from({ length: 8 }, (_none, index) => ({
    duration: 3,
    'background-color': ['#1f2937', '#0f766e', '#7c2d12', '#4c1d95'][index % 4],
    elements: [{ type: 'text', text: `Dear reader, this is scene ${index + 1}`, zoom: 2, 'font-size': 72 }],
  })),
};
const scripts = { personal };
for (const name of ['quote-card', 'recipe', 'vertical-story', 'showcase'])
  scripts[name] = JSON.parse(await readFile(join(root, 'examples', `${name}.json`), 'utf8'));

const nobody = { signal: new AbortController().signal, onProgress: () => {} };
const timed = async (work) => {
  const began = performance.now();
  const result = await work();
  return { result, ms: Math.round((performance.now() - began) * 10) / 10 };
};

async function sample(name, script) {
  const movie = join(folder, `${name}.json`);
  const stored = join(folder, 'stored');
  await rm(stored, { recursive: true, force: true });
  await mkdir(stored);
  const planned = await withLocalRender(movie, config, async (parts, workDir) => {
    const { ms, result } = await timed(() => planDistributed({ script, workDir, outputPath: '', ...nobody }, parts));
    const layout = JSON.parse(await readFile(join(workDir, 'layout.json'), 'utf8'));
    for (const { name: file, path } of layout.sources) await copyFile(path, join(stored, file));
    for (const { document } of layout.encodings[0].parts) await copyFile(join(workDir, document), join(stored, document));
    return { ms, layout, seconds: result.durationSeconds };
  });
  const parts = [];
  for (const [index, part] of planned.layout.encodings[0].parts.entries()) {
    parts.push(
      await withLocalRender(movie, config, async (tools, workDir) => {
        const stagedDir = join(workDir, 'brought');
        await mkdir(stagedDir);
        for (const file of [part.document, ...part.sources]) await copyFile(join(stored, file), join(stagedDir, file));
        await writeFile(join(stagedDir, 'part.json'), JSON.stringify(part));
        const { ms } = await timed(() => renderDistributedSegment({ workDir, stagedDir, outputPath: '', ...nobody }, tools));
        await copyFile(join(workDir, 'packets.nut'), join(stored, `packets-${index}.nut`));
        return { kind: part.kind, ms };
      }),
    );
  }
  const stitch = await withLocalRender(movie, config, async (tools, workDir) => {
    const stagedDir = join(workDir, 'brought');
    await mkdir(stagedDir);
    const names = parts.map(({ kind }, index) => ({ kind, name: `packets-${index}.nut` }));
    for (const one of names) await copyFile(join(stored, one.name), join(stagedDir, one.name));
    const segments = names.filter(({ kind }) => kind === 'picture').map((one) => one.name);
    const audio = names.find(({ kind }) => kind === 'sound')?.name;
    await writeFile(join(stagedDir, 'stitch.json'), JSON.stringify({ segments, audio }));
    return timed(() => stitchDistributed({ workDir, stagedDir, outputPath: join(workDir, 'film.mp4'), ...nobody }, tools));
  });
  return { name, seconds: planned.seconds, layoutMs: planned.ms, partsMs: parts.map(({ ms }) => ms), stitchMs: stitch.ms };
}

const movies = [];
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(script));
    movies.push(await sample(name, script));
    console.error(JSON.stringify(movies.at(-1)));
  }
}
await writeFile(out, `${JSON.stringify({ movies }, null, 1)}\n`);
await rm(folder, { recursive: true, force: true });
process.exit(0);
