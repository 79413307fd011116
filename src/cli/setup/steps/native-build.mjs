import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { SetupError } from '../setup-error.mjs';
import { createStamp, hashOf, listFiles } from '../stamp.mjs';

const stamp = createStamp('build', 'Release', '.framewright-setup');
const products = ['framewright.node', 'framewright-engine', 'framewright-sandbox', 'framewright-speech'].map((name) => inRoot('build', 'Release', name));
/** FFmpeg 5.1, the first with the channel layout calls that the engine uses. */
const oldestLibavcodec = '59.37';

function libraryVersions() {
  return (
    spawnSync('pkg-config', ['--modversion', 'libavcodec', 'libavformat', 'libavutil', 'libswscale', 'libswresample', 'libhwy'], { encoding: 'utf8' }).stdout ??
    ''
  );
}

const keyOf = () =>
  hashOf(
    [...listFiles('native', (path) => /\.(cc|h|txt|cmake|json|comp|glsl)$/.test(path)), 'schema/error-codes.json', 'package-lock.json'],
    [libraryVersions(), process.arch],
  );

function checkLibav() {
  if (spawnSync('pkg-config', [`--atleast-version=${oldestLibavcodec}`, 'libavcodec']).status !== 0) {
    throw new SetupError(`The engine needs FFmpeg's libraries from 5.1 on (libavcodec ${oldestLibavcodec}); found:\n${libraryVersions().split('\n')[0] || 'none'}
Debian 12, Ubuntu 24.04 and newer have them.`);
  }
}

function cmakeJs(log, command, options) {
  const args = [command, '--directory', 'native', '--out', 'build', '--target', 'framewright', '--parallel', String(availableParallelism())];
  return runCommand(log, process.execPath, [inRoot('node_modules/cmake-js/bin/cmake-js'), ...args], options);
}

/** CMake keeps what it once found; a checkout that was moved, or a library that was, makes that memory wrong. */
async function configure(log) {
  try {
    await cmakeJs(log, 'configure');
  } catch {
    rmSync(inRoot('build', 'CMakeCache.txt'), { force: true });
    rmSync(inRoot('build', 'CMakeFiles'), { recursive: true, force: true });
    await cmakeJs(log, 'configure');
  }
}

/** Step 3: build/Release/framewright.node and the programs beside it, by the CMake definition in native/. */
export const nativeBuild = {
  isCurrent: (flags) => !flags.build && products.every((path) => existsSync(path)) && stamp.matches(keyOf()),

  async run({ progress, log }) {
    checkLibav();
    const key = keyOf();
    await progress.step('building the engine', async (report) => {
      await configure(log);
      // `build` rather than `compile`: the latter answers a failing build by deleting the build folder.
      await cmakeJs(log, 'build', { onLine: (line) => report(/^\[\d+\/\d+\]/.exec(line)?.[0] ?? '') });
    });
    stamp.write(key);
  },
};
