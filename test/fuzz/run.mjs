#!/usr/bin/env node
/** Longer fuzzing than `npm test` has: `media` sends changed files through engine processes, `engine` runs libFuzzer. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { engineSeeds, h264Seeds, imageSeeds, mediaSeeds } from './seeds.mjs';
import { timelineSeeds, timelineWords } from './timelines.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'build', 'fuzz');
const seedsOf = { timeline: timelineSeeds, media: mediaSeeds, image: imageSeeds, files: engineSeeds, h264: h264Seeds };
const usage = `Usage: npm run fuzz -- media [--count 20000] [--seed 1]
       npm run fuzz -- engine [--seconds 600] [--target ${Object.keys(seedsOf).join('|')}]`;

function fail(message) {
  console.error(message);
  process.exit(2);
}

function run(program, args, env = {}) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return status ?? 1;
}

function runMedia({ count, seed }) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return run(process.execPath, [vitest, 'run', 'test/fuzz/media.test.ts'], { FRAMEWRIGHT_FUZZ_COUNT: count, FRAMEWRIGHT_FUZZ_SEED: seed });
}

function buildFuzzer() {
  const compiler = ['clang++', 'clang++-19', 'clang++-14'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (compiler === undefined) fail('libFuzzer needs clang: apt-get install clang libclang-rt-14-dev');
  const build = join(folder, 'build');
  const configure = ['-S', 'native', '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=RelWithDebInfo', '-DFRAMEWRIGHT_FUZZ=ON'];
  if (run('cmake', [...configure, `-DCMAKE_CXX_COMPILER=${compiler}`]) !== 0) fail('the fuzzer could not be configured');
  if (run('cmake', ['--build', build, '--target', 'engine_fuzzer', '--parallel']) !== 0) fail('the fuzzer could not be built');
  return join(build, 'engine_fuzzer');
}

/** Continues after findings, which are written to build/fuzz/found. */
function runTarget(fuzzer, target, seconds) {
  const [seeds, grown, found] = ['seeds', 'grown', 'found'].map((name) => join(folder, name, target));
  for (const path of [seeds, grown, found]) mkdirSync(path, { recursive: true });
  seedsOf[target](seeds);
  const corpus = join(root, 'test/fuzz/corpus', target);
  const words = join(folder, 'timeline.words');
  if (target === 'timeline') timelineWords(words);
  const options = [`-max_total_time=${seconds}`, '-timeout=30', '-rss_limit_mb=3000', `-artifact_prefix=${found}/`];
  const goOn = ['-fork=1', '-ignore_crashes=1', '-ignore_ooms=1', '-ignore_timeouts=1'];
  const more = target === 'timeline' ? [`-dict=${words}`, '-max_len=20000'] : [];
  run(fuzzer, [grown, seeds, ...(existsSync(corpus) ? [corpus] : []), ...options, ...goOn, ...more], {
    FRAMEWRIGHT_FUZZ_TARGET: target,
    // Leaks of libraries at exit are ignored; oversized allocations fail as without sanitizers.
    ASAN_OPTIONS: 'detect_leaks=0:allocator_may_return_null=1',
    UBSAN_OPTIONS: 'print_stacktrace=1',
  });
  return readdirSync(found).map((name) => join(found, name));
}

function runEngine({ seconds, target }) {
  const targets = target === undefined ? Object.keys(seedsOf) : [target];
  if (!targets.every((name) => name in seedsOf)) fail(usage);
  const fuzzer = buildFuzzer();
  const found = targets.flatMap((name) => runTarget(fuzzer, name, Math.ceil(Number(seconds) / targets.length)));
  console.log(found.length === 0 ? '\nNothing found.' : `\nFound:\n${found.join('\n')}`);
  return found.length === 0 ? 0 : 1;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '600' },
    target: { type: 'string' },
  },
});
const [what] = positionals;
process.exitCode = what === 'media' ? runMedia(values) : what === 'engine' ? runEngine(values) : fail(usage);
