import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { inRoot } from '../paths.mjs';
import { runCommand, SetupError } from '../run-command.mjs';
import { createStamp, hashOf, listFiles } from '../stamp.mjs';

const stamp = createStamp('build', 'Release', '.framewright-setup');
const products = ['framewright.node', 'framewright-engine', 'framewright-sandbox', 'framewright-speech'].map((name) => inRoot('build', 'Release', name));
/** FFmpeg 5.1, the first version with the channel layout API that the engine uses. */
const minLibavcodec = '59.37';

function libraryVersions() {
  const libraries = ['libavcodec', 'libavformat', 'libavutil', 'libswscale', 'libswresample', 'libhwy'];
  return spawnSync('pkg-config', ['--modversion', ...libraries], { encoding: 'utf8' }).stdout ?? '';
}

function keyOf() {
  const sources = listFiles('native', (path) => /\.(cc|h|txt|cmake|json|comp|glsl)$/.test(path));
  return hashOf([...sources, 'schema/error-codes.json', 'package-lock.json'], [libraryVersions(), process.arch]);
}

function checkLibav() {
  if (spawnSync('pkg-config', [`--atleast-version=${minLibavcodec}`, 'libavcodec']).status === 0) return;
  throw new SetupError(`The engine needs FFmpeg's libraries 5.1 or newer (libavcodec ${minLibavcodec}); found libavcodec ${libraryVersions().split('\n')[0] || 'none'}.
Debian 12, Ubuntu 24.04 and newer have them.`);
}

function cmakeJs(log, command, options) {
  const args = [command, '--directory', 'native', '--out', 'build', '--target', 'framewright', '--parallel', String(availableParallelism())];
  return runCommand(log, process.execPath, [inRoot('node_modules/cmake-js/bin/cmake-js'), ...args], options);
}

/** CMake caches paths, which are wrong after the checkout or a library was moved. */
async function configure(log) {
  try {
    await cmakeJs(log, 'configure');
  } catch {
    rmSync(inRoot('build', 'CMakeCache.txt'), { force: true });
    rmSync(inRoot('build', 'CMakeFiles'), { recursive: true, force: true });
    await cmakeJs(log, 'configure');
  }
}

/** Step 3: builds build/Release/framewright.node and the engine programs with CMake. */
export const nativeBuild = {
  isCurrent: (flags) => !flags.build && products.every((path) => existsSync(path)) && stamp.matches(keyOf()),

  async run({ progress, log }) {
    checkLibav();
    const key = keyOf();
    await progress.step('building the engine', async (report) => {
      await configure(log);
      // Not `compile`, which deletes the build folder when a build fails.
      await cmakeJs(log, 'build', { onLine: (line) => report(/^\[\d+\/\d+\]/.exec(line)?.[0] ?? '') });
    });
    stamp.write(key);
  },
};
