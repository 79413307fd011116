#!/usr/bin/env node
/**
 * Runs every test program of the project and adds up what they counted. A program that crashes, hangs or
 * ends without a count is a failure of its own, so the closing line cannot be better than the run was.
 */
import { lint, nativeTests, sanitizedTests, typecheck, vitest } from './runner/programs.mjs';

const programs = { lint, typecheck, native: nativeTests, asan: sanitizedTests, vitest };

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

const total = { passed: 0, failed: 0, skipped: 0 };
const lines = [];
for (const [name, program] of chosenPrograms(process.argv.slice(2))) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(3, 60 - name.length))}`);
  const startedAt = performance.now();
  const { passed, failed, skipped, problem } = await program();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  lines.push(`${name.padEnd(10)} ${passed} ok, ${failed} not ok, ${skipped} left out (${seconds} s)${problem ? `: ${problem}` : ''}`);
}

console.log(`\n${lines.join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
