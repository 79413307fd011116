import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinDoctestResults, joinParts, singleResult, vitestResults } from './results.mjs';
import { root, runProgram } from './run-program.mjs';

const inRoot = (...parts) => join(root, ...parts);
const node = process.execPath;

/** Checks formatting and lint rules; counts as one test. */
export async function lint() {
  const run = await runProgram(node, [inRoot('node_modules/@biomejs/biome/bin/biome'), 'check', '.'], { minutes: 5 });
  return singleResult(run, 'biome check');
}

/** Compiles src/ and test/, and the studio page with a browser's globals instead of Node's; counts as one test. */
export async function typecheck() {
  const compile = (project) => runProgram(node, [inRoot('node_modules/typescript/bin/tsc'), '-p', project], { minutes: 5 });
  const page = async () => [await compile('src/studio/tsconfig.json'), await compile('test/studio.tsconfig.json')];
  // The compiler uses one core.
  const runs = (await Promise.all([compile('test/tsconfig.json'), page()])).flat();
  const output = runs.map((run) => run.output).join('');
  return singleResult({ code: runs.every(({ code }) => code === 0) ? 0 : 1, output }, 'TypeScript type check');
}

/** Test suites that need a driver or its substitute, which other cases must not find, and the device files without which the engine looks for none. */
const driverSuites = { nvidia: 'nvidiactl nvidia0', semaphores: 'nvidiactl nvidia0', vaapi: 'dri/renderD128', card: 'dri/renderD128' };

/** Arguments of doctest for the cases without a driver. */
export const withoutDrivers = [`--test-suite-exclude=${Object.keys(driverSuites).join(',')}`];

/** How the program of C++ tests in a build folder runs each suite with its substitute driver (test/substitute-driver), built in `driversFolder`. */
export function runsWithDrivers(buildFolder, { env = process.env, driversFolder = buildFolder } = {}) {
  const drivers = inRoot(driversFolder, 'substitute-driver');
  return Object.entries(driverSuites).map(([suite, deviceFiles]) => ({
    command: ['sh', inRoot('test/substitute-driver/with-device-files.sh'), deviceFiles, inRoot(buildFolder, 'native_tests')],
    options: [`--test-suite=${suite}`],
    env: { ...env, LD_LIBRARY_PATH: drivers, LIBVA_DRIVERS_PATH: drivers, VK_ADD_LAYER_PATH: drivers, VK_INSTANCE_LAYERS: 'VK_LAYER_FRAMEWRIGHT_substitute' },
  }));
}

const buildTarget = (buildFolder, target, options) =>
  runProgram('cmake', ['--build', buildFolder, '--target', target, '--parallel', String(availableParallelism())], { minutes: 60, ...options });

/** Media that tests make with ffmpeg, for all processes of this run; removed when it ends. */
const mediaFolder = mkdtempSync(join(tmpdir(), 'framewright-test-media-'));
process.on('exit', () => rmSync(mediaFolder, { recursive: true, force: true }));

async function runTests(buildFolder, { options = [], driversFolder, env = process.env, ...rest }) {
  const how = { ...rest, env: { ...env, FRAMEWRIGHT_TEST_MEDIA: mediaFolder } };
  let results = await runInRanges([inRoot(buildFolder, 'native_tests')], [...withoutDrivers, ...options], how);
  for (const run of runsWithDrivers(buildFolder, { env: how.env, driversFolder })) {
    results = joinParts(results, await runInRanges(run.command, run.options, { ...how, env: run.env }));
  }
  return results;
}

/** A small range keeps no core waiting when one of its cases takes long. */
const rangesPerCore = 8;

/** Runs ranges of test cases in parallel processes, one per core. The last ranges start first because the cases of graphics devices take longest. */
async function runInRanges([program, ...first], options, how) {
  const listed = await runProgram(program, [...first, '--no-colors', '--count', ...options], { ...how, minutes: 5 });
  const count = Number(/passing the current filters: (\d+)/.exec(listed.output)?.[1] ?? 0);
  if (count === 0) return singleResult({ code: 1, output: listed.output }, 'list of the test cases in native_tests');
  const cores = availableParallelism();
  const size = Math.ceil(count / (rangesPerCore * cores));
  const starts = Array.from({ length: Math.ceil(count / size) }, (_, k) => k * size + 1);
  const runs = [];
  const runNext = async () => {
    for (let next = starts.pop(); next !== undefined; next = starts.pop()) {
      runs.push(await runProgram(program, [...first, '--no-colors', '-d', `-f=${next}`, `-l=${next + size - 1}`, ...options], { ...how, minutes: 30 }));
    }
  };
  await Promise.all(Array.from({ length: cores }, runNext));
  return joinDoctestResults(runs, count);
}

/** Runs the C++ tests in the folder that set-up configures for the addon. */
export async function nativeTests() {
  const build = await buildTarget('build', 'native_tests');
  return build.code === 0 ? runTests('build', {}) : singleResult(build, 'build of native_tests');
}

/**
 * These cases spend most of their time in code that a software graphics driver generates, which no sanitizer checks, measure time, or compare
 * the samples of code that shorter cases execute.
 */
const uncheckedCases = [
  "the device's *",
  'gpu_check: compares frames *',
  'frames of 10 bits have known codes *',
  'a reverb stays finite*',
  'a gradient has more than 256 levels *',
  'deep and 8-bit compositors draw the same transitions',
  'encoded audio does not depend on the thread count *',
].join();

const sanitizedFolder = 'build/asan';
const driversFolder = 'build';
/** Below the priority of renders, which the tests beside it wait for. */
const inBackground = { niceness: 19 };
let sanitizedBuild;

async function configureAndBuildSanitized() {
  // The build takes most of the time: little optimisation and unity builds more than halve it.
  const flags = ['-DCMAKE_BUILD_TYPE=RelWithDebInfo', '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-Og -g1 -DNDEBUG', '-DFRAMEWRIGHT_UNITY=ON'];
  const configure = ['-S', 'native', '-B', sanitizedFolder, '-G', 'Ninja', '-DFRAMEWRIGHT_SANITIZE=ON', ...flags];
  const steps = [
    () => buildTarget(driversFolder, 'substitute_drivers', inBackground),
    () => runProgram('cmake', configure, { minutes: 5, ...inBackground }),
    () => buildTarget(sanitizedFolder, 'native_tests', inBackground),
  ];
  let step = { code: 0 };
  for (const run of steps) {
    if (step.code === 0) step = await run();
  }
  return step;
}

/**
 * Compiles the C++ tests with sanitizers, once and in the background: it may run beside tests that spend much of their time waiting. The
 * tests themselves may not, because some expect an answer in time.
 */
export function buildSanitizedTests() {
  sanitizedBuild ??= configureAndBuildSanitized();
  return sanitizedBuild;
}

/** Runs the C++ tests with address and undefined-behaviour checks; the cases that compare graphics devices count as skipped. */
export async function sanitizedTests() {
  console.log(`Less than without sanitizers: no cases "${uncheckedCases}"; a fifth of the cases of tests over random frames (test/native/sanitizers.h).`);
  const build = await buildSanitizedTests();
  if (build.code !== 0) return singleResult(build, 'sanitizer build of native_tests');
  const env = {
    ...process.env,
    // On abort doctest prints which test case was running.
    UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1:abort_on_error=1',
    ASAN_OPTIONS: 'detect_stack_use_after_return=1:abort_on_error=1',
    LSAN_OPTIONS: `suppressions=${inRoot('test/native/leaks-of-libraries.txt')}:print_suppressions=0`,
  };
  return runTests(sanitizedFolder, { env, options: [`--test-case-exclude=${uncheckedCases}`], driversFolder });
}

/** Runs every *.test.ts below test/. */
export async function vitest() {
  const report = inRoot('build', 'vitest.json');
  rmSync(report, { force: true });
  const { code, timedOut } = await runProgram(
    node,
    [inRoot('node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { minutes: 45, show: true },
  );
  let text;
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    return singleResult({ code: 1, output: '' }, timedOut ? 'vitest reached its time limit' : `vitest wrote no report (exit code ${code})`);
  }
  return vitestResults(JSON.parse(text), code);
}
