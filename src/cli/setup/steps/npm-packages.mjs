import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { createStamp } from '../stamp.mjs';

const stamp = createStamp('node_modules', '.framewright-setup');
/** Compiled addons work with one Node ABI only. */
const abi = `node ABI ${process.versions.modules} ${process.platform} ${process.arch}`;

function readPackages(...pathParts) {
  try {
    return JSON.parse(readFileSync(inRoot(...pathParts), 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/** Whether node_modules matches the lock file, according to npm's record of what it installed. */
function treeMatchesLock() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules', '.package-lock.json');
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const installed = present[path];
    return installed ? installed.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer);
  });
}

const canLoadDatabase = () =>
  spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:').close()"], { cwd: inRoot(), stdio: 'ignore' }).status === 0;

/** better-sqlite3 is compiled instead of downloaded; if Node's headers are installed, node-gyp downloads nothing either. */
function npmEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  const env = { ...process.env, npm_config_build_from_source: 'true' };
  if (existsSync(join(prefix, 'include', 'node', 'node_api.h'))) env.npm_config_nodedir = prefix;
  return env;
}

function npm(log, args) {
  const cli = process.env.npm_execpath;
  const viaNode = cli?.endsWith('npm-cli.js') && existsSync(cli);
  const [command, first] = viaNode ? [process.execPath, [cli]] : ['npm', []];
  return runCommand(log, command, [...first, ...args, '--no-audit', '--no-fund'], { env: npmEnvironment() });
}

/** Step 2: installs the npm packages of the lock file. */
export const npmPackages = {
  isCurrent: () => treeMatchesLock() && stamp.matches(abi),

  async run({ progress, log }) {
    if (!treeMatchesLock()) {
      // Includes dev dependencies, because a checkout is built with them. Not `npm ci`: it rejects a lock file
      // without the optional packages of other platforms, and would compile SQLite again after every change.
      await progress.step('installing npm packages (SQLite is compiled: about a minute)', () => npm(log, ['install', '--no-save', '--include=dev']));
    }
    if (!canLoadDatabase()) await progress.step('compiling SQLite for this Node', () => npm(log, ['rebuild', 'better-sqlite3']));
    stamp.write(abi);
  },
};
