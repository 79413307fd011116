#!/usr/bin/env node
import { withLock } from './lock.mjs';
import { root } from './paths.mjs';
import { createProgress } from './progress.mjs';
import { openLog } from './run-command.mjs';
/**
 * Brings a checkout from `git clone` to runnable: system packages, npm packages, the native engine,
 * the compiled TypeScript, the page. Runs before anything is installed, so it uses Node's built-ins alone.
 * When everything is current it only looks, and takes a fraction of a second.
 */
import { SetupError } from './setup-error.mjs';
import { bundleBuild } from './steps/bundle-build.mjs';
import { nativeBuild } from './steps/native-build.mjs';
import { npmPackages } from './steps/npm-packages.mjs';
import { studioBuild } from './steps/studio-build.mjs';
import { systemPackages } from './steps/system-packages.mjs';
import { typescriptBuild } from './steps/typescript-build.mjs';
import { validatorBuild } from './steps/validator-build.mjs';

const usage = `Usage: node src/cli/setup/setup.mjs [--tests] [--build] [--quiet]

  --tests   also what only the tests need
  --build   build the engine and the TypeScript even when they look current
  --quiet   print nothing when there is nothing to do`;

/** In this order: each step may rely on the ones before it. */
const steps = [systemPackages, npmPackages, nativeBuild, typescriptBuild, studioBuild, validatorBuild, bundleBuild];

function parseFlags(args) {
  const flags = { tests: false, quiet: false, build: false };
  for (const arg of args) {
    if (arg === '--help' || arg === '-h') {
      console.log(usage);
      process.exit(0);
    }
    const name = arg.replace(/^--/, '');
    if (!arg.startsWith('--') || !(name in flags)) {
      throw new SetupError(`Unknown option ${arg}.\n\n${usage}`);
    }
    flags[name] = true;
  }
  return flags;
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    throw new SetupError(`Framewright needs Node 20 or newer; this is Node ${process.versions.node} (${process.execPath}).`);
  }
}

async function main() {
  checkNode();
  const flags = parseFlags(process.argv.slice(2));
  const startedAt = performance.now();
  // With --quiet the command that follows owns standard output; its JSON must stay alone there.
  const progress = createProgress(flags.quiet ? process.stderr : process.stdout);
  if (steps.every((step) => step.isCurrent(flags))) {
    if (!flags.quiet) {
      progress.line(`Set-up is current (checked in ${((performance.now() - startedAt) / 1000).toFixed(2)} s).`);
    }
    return;
  }
  await withLock(progress, async () => {
    const log = openLog();
    progress.line(`Setting up Framewright in ${root}`);
    for (const step of steps) {
      // Asked again: another set-up may have done it while this one waited for the lock.
      if (!step.isCurrent(flags)) {
        await step.run({ flags, progress, log });
      }
    }
    log.close();
  });
  progress.line(`Set-up finished in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) {
    throw error;
  }
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
