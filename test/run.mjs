#!/usr/bin/env node
/**
 * Runs every test program of the project and adds up their results. A program that crashes, reaches its time limit or ends without
 * a summary counts as a failure. The output ends with the failed tests and the totals.
 */
import { buildSanitizedTests, lint, nativeTests, sanitizedTests, typecheck, vitest } from './runner/programs.mjs';
import { formatSummary } from './runner/results.mjs';

const programs = { lint, typecheck, native: nativeTests, vitest, asan: sanitizedTests };

function chosenPrograms(args) {
  if (args.length === 0) {
    return Object.entries(programs);
  }
  const [option, names, ...rest] = args;
  const chosen = (names ?? '').split(',');
  if (option !== '--only' || rest.length > 0 || !chosen.every((name) => name in programs)) {
    console.error(`Usage: node test/run.mjs [--only ${Object.keys(programs).join(',')}]`);
    process.exit(2);
  }
  return Object.entries(programs).filter(([name]) => chosen.includes(name));
}

const chosen = chosenPrograms(process.argv.slice(2));
const finished = [];
for (const [name, program] of chosen) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(3, 60 - name.length))}`);
  const startedAt = performance.now();
  // These tests leave a third of the processor's time unused.
  if (program === vitest && chosen.some(([, other]) => other === sanitizedTests)) buildSanitizedTests();
  const results = await program();
  finished.push({ name, seconds: (performance.now() - startedAt) / 1000, results });
}

console.log(`\n${formatSummary(finished).join('\n')}`);
process.exitCode = finished.every(({ results }) => results.failed === 0) && finished.some(({ results }) => results.passed > 0) ? 0 : 1;
