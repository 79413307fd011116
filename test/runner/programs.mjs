import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { sharedDoctestCounts, vitestCounts } from './counts.mjs';
import { root, runProgram } from './run-program.mjs';

const inRoot = (...parts) => join(root, ...parts);
const node = process.execPath;
const check = (ok, problem) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, problem: ok ? undefined : problem });

/** Formatting and lint rules; counts as one test. */
export async function lint() {
  const { code } = await runProgram(node, [inRoot('node_modules/@biomejs/biome/bin/biome'), 'check', '.'], { minutes: 5 });
  return check(code === 0, 'biome has complaints');
}

/** src/ and test/ under the compiler's strictest settings, and the page, which knows a browser's names instead of Node's; counts as one test. */
export async function typecheck() {
  const compile = (project) => runProgram(node, [inRoot('node_modules/typescript/bin/tsc'), '-p', project], { minutes: 5 });
  const page = async () => [await compile('src/studio/tsconfig.json'), await compile('test/studio.tsconfig.json')];
  // The compiler uses one core.
  const runs = (await Promise.all([compile('test/tsconfig.json'), page()])).flat();
  return check(
    runs.every(({ code }) => code === 0),
    'the TypeScript compiler has complaints',
  );
}

async function buildAndRun(buildFolder, env, options = []) {
  const build = await runProgram('cmake', ['--build', buildFolder, '--target', 'native_tests', '--parallel', String(availableParallelism())], { minutes: 20 });
  if (build.code !== 0) {
    return check(false, 'native_tests could not be built');
  }
  return runShared(inRoot(buildFolder, 'native_tests'), env, options);
}

/** Ranges of the test cases, one after the other on each core: one process has one case under way. The last go first, for those of graphics devices take longest. */
async function runShared(program, env, options) {
  const listed = await runProgram(program, ['--no-colors', '--count', ...options], { minutes: 1, env });
  const count = Number(/passing the current filters: (\d+)/.exec(listed.output)?.[1] ?? 0);
  if (count === 0) return check(false, 'native_tests tells no test cases');
  const cores = availableParallelism();
  const size = Math.ceil(count / (rangesPerCore * cores));
  const firsts = Array.from({ length: Math.ceil(count / size) }, (_, k) => k * size + 1);
  const runs = [];
  const runNext = async () => {
    for (let first = firsts.pop(); first !== undefined; first = firsts.pop()) {
      runs.push(await runProgram(program, ['--no-colors', '-d', `-f=${first}`, `-l=${first + size - 1}`, ...options], { minutes: 20, env }));
    }
  };
  await Promise.all(Array.from({ length: cores }, runNext));
  return sharedDoctestCounts(runs, count);
}

/** So that one of long cases keeps no core waiting for long. */
const rangesPerCore = 8;

/** The C++ tests, in the folder that set-up configured for the addon. */
export const nativeTests = () => buildAndRun('build', process.env);

/** Most of their time is spent in a software graphics driver's own generated code, which no sanitizer sees into. */
const uncheckedCases = 'the device draws*';

/** The same tests with address and undefined-behaviour checks, but for those that compare graphics devices: they count as left out. */
export async function sanitizedTests() {
  console.log(`Less than without sanitizers: no cases "${uncheckedCases}"; a tenth of the frames in "a slow zoom/pan/turn moves smoothly".`);
  const folder = 'build/asan';
  // Most of the time goes into the build: with little optimisation and several sources at a time it takes less than half of it.
  const flags = ['-DCMAKE_BUILD_TYPE=RelWithDebInfo', '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-Og -g1 -DNDEBUG', '-DFRAMEWRIGHT_UNITY=ON'];
  const configure = ['-S', 'native', '-B', folder, '-G', 'Ninja', '-DFRAMEWRIGHT_SANITIZE=ON', ...flags];
  const { code } = await runProgram('cmake', configure, { minutes: 5 });
  if (code !== 0) {
    return check(false, 'the sanitizer build could not be configured');
  }
  const env = {
    ...process.env,
    UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
    ASAN_OPTIONS: 'detect_stack_use_after_return=1',
    LSAN_OPTIONS: `suppressions=${inRoot('test/native/leaks-of-libraries.txt')}:print_suppressions=0`,
  };
  return buildAndRun(folder, env, [`--test-case-exclude=${uncheckedCases}`]);
}

/** Every *.test.ts below test/. */
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
    return check(false, timedOut ? 'vitest ran out of time' : `vitest left no report (exit code ${code})`);
  }
  return vitestCounts(JSON.parse(text), code);
}
