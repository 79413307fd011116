#!/usr/bin/env node
/**
 * Counts the lines of the code for graphics devices that the C++ tests execute, without a card and on the substitute drivers, and prints a
 * table per file. Ends with 1 if a test fails or the total is below the minimum. `--missing` lists the lines that no test executes.
 */
import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { formatCoverage, joinCoverage } from './runner/coverage-table.mjs';
import { runsWithDrivers, withoutDrivers } from './runner/programs.mjs';
import { root, runProgram } from './runner/run-program.mjs';

const minPercent = 90;
const folder = 'build/coverage';
const inFolder = (...parts) => join(root, folder, ...parts);

/** Most of the build is optimised a little and not counted (native/coverage.cmake). */
const flags = ['-DFRAMEWRIGHT_COVERAGE=ON', '-DFRAMEWRIGHT_UNITY=ON', '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG'];

/** Everything runs at low priority, on at most two cores. */
async function run(command, args, options) {
  const done = await runProgram('nice', [command, ...args], options);
  if (done.code === 0) return done.output;
  process.exit(1);
}

/** The counts of earlier runs add up with those of later ones. */
function filesEnding(end) {
  return readdirSync(inFolder('CMakeFiles'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
}

async function readCounts() {
  const reports = [];
  for (const name of filesEnding('.gcda')) {
    const path = inFolder('CMakeFiles', name);
    reports.push(JSON.parse(await run('gcov', ['--json-format', '--stdout', '--object-directory', dirname(path), path], { minutes: 2, isQuiet: true })));
  }
  return reports;
}

await run('cmake', ['-S', 'native', '-B', folder, '-G', 'Ninja', ...flags], { minutes: 5 });
await run('cmake', ['--build', folder, '--target', 'native_tests', '--parallel', String(Math.min(2, availableParallelism()))], { minutes: 60 });
for (const name of filesEnding('.gcda')) rmSync(inFolder('CMakeFiles', name));
await run(inFolder('native_tests'), withoutDrivers, { minutes: 30 });
for (const { command, options, env } of runsWithDrivers(folder)) {
  await run(command[0], [...command.slice(1), ...options], { minutes: 30, env });
}

/** Headers of other code are compiled, but not tested, with it. */
const counted = /^(devices|vulkan|compositor\/vulkan|libav\/hardware|libav\/encode\/video|render\/interop_probe)/;
const files = joinCoverage(await readCounts(), join(root, 'native'), (path) => counted.test(path));
const { lines, percent } = formatCoverage(files, { showsMissing: process.argv.includes('--missing') });
console.log(`\n${lines.join('\n')}`);
process.exitCode = percent >= minPercent ? 0 : 1;
