#!/usr/bin/env node
/**
 * Makes a fresh checkout runnable: system packages, npm packages, the native engine, the compiled TypeScript, Studio.
 * Uses only Node's built-in modules, because it runs before anything is installed. When everything is current it takes a fraction of a second.
 */
import { withLock } from './lock.mjs';
import { root } from './paths.mjs';
import { createProgress } from './progress.mjs';
import { openLog, SetupError } from './run-command.mjs';
import { bundleBuild, studioBuild, typescriptBuild, validatorBuild } from './steps/dist-builds.mjs';
import { nativeBuild } from './steps/native-build.mjs';
import { npmPackages } from './steps/npm-packages.mjs';
import { systemPackages } from './steps/system-packages.mjs';

const usage = `Usage: node src/cli/setup/setup.mjs [--tests] [--build] [--quiet]

  --tests   also install what only the tests need
  --build   build the engine and the TypeScript even if they are current
  --quiet   print nothing if everything is current`;

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
    if (!arg.startsWith('--') || !(name in flags)) throw new SetupError(`Unknown option ${arg}.\n\n${usage}`);
    flags[name] = true;
  }
  return flags;
}

function checkNode() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new SetupError(`Framewright needs Node 20 or newer; this is Node ${process.versions.node} (${process.execPath}).`);
  }
}

async function main() {
  checkNode();
  const flags = parseFlags(process.argv.slice(2));
  const startedAt = performance.now();
  const elapsedSeconds = (digits) => ((performance.now() - startedAt) / 1000).toFixed(digits);
  // With --quiet, standard output belongs to the command that follows.
  const progress = createProgress(flags.quiet ? process.stderr : process.stdout);
  if (steps.every((step) => step.isCurrent(flags))) {
    if (!flags.quiet) progress.line(`Set-up is current (checked in ${elapsedSeconds(2)} s).`);
    return;
  }
  await withLock(progress, async () => {
    const log = openLog();
    progress.line(`Setting up Framewright in ${root}`);
    for (const step of steps) {
      // Checked again, because another set-up may have run the step while this one waited for the lock.
      if (!step.isCurrent(flags)) await step.run({ flags, progress, log });
    }
    log.close();
  });
  progress.line(`Set-up finished in ${elapsedSeconds(0)} s.`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = 1;
}
