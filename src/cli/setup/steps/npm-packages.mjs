import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inRoot } from '../paths.mjs';
import { runCommand } from '../run-command.mjs';
import { createStamp } from '../stamp.mjs';

const stamp = createStamp('node_modules', '.framewright-setup');
/** Compiled add-ons fit one ABI of Node. */
const abi = `node ABI ${process.versions.modules} ${process.platform} ${process.arch}`;

function readPackages(...place) {
  try {
    return JSON.parse(readFileSync(inRoot(...place), 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
}

/** Whether node_modules holds what the lock file says, by npm's own record of what it installed. */
function treeMatchesLock() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules', '.package-lock.json');
  if (!wanted || !present) {
    return false;
  }
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') {
      return true;
    }
    const installed = present[path];
    return installed ? installed.version === entry.version : Boolean(entry.optional || entry.devOptional || entry.peer);
  });
}

const loadsDatabase = () =>
  spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:').close()"], { cwd: inRoot(), stdio: 'ignore' }).status === 0;

/**
 * better-sqlite3 is compiled here rather than fetched as a binary from a release page; with this Node's
 * own headers at hand node-gyp has nothing to download either.
 */
function npmEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  const env = { ...process.env, npm_config_build_from_source: 'true' };
  if (existsSync(join(prefix, 'include', 'node', 'node_api.h'))) {
    env.npm_config_nodedir = prefix;
  }
  return env;
}

function npm(log, args) {
  const cli = process.env.npm_execpath;
  const viaNode = cli?.endsWith('npm-cli.js') && existsSync(cli);
  const [command, first] = viaNode ? [process.execPath, [cli]] : ['npm', []];
  return runCommand(log, command, [...first, ...args, '--no-audit', '--no-fund'], { env: npmEnvironment() });
}

/** Step 2: the npm packages of the lock file. */
export const npmPackages = {
  isCurrent: () => treeMatchesLock() && stamp.matches(abi),

  async run({ progress, log }) {
    if (!treeMatchesLock()) {
      // Dev dependencies too: without the compiler nothing can be built from a checkout. Not `npm ci`, which refuses
      // a lock file that lacks the other platforms' optional packages, and would compile SQLite again at every change.
      await progress.step('installing npm packages (SQLite is compiled: about a minute)', () => npm(log, ['install', '--no-save', '--include=dev']));
    }
    if (!loadsDatabase()) {
      await progress.step('compiling SQLite for this Node', () => npm(log, ['rebuild', 'better-sqlite3']));
    }
    stamp.write(abi);
  },
};
