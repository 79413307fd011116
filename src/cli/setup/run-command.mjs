import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { buildFolder, root } from './paths.mjs';

/** An error whose message is printed to the user without a stack trace. */
export class SetupError extends Error {}

const logPath = join(buildFolder, 'setup.log');
const maxTailLines = 30;
const maxErrorLines = 12;

/** Opens build/setup.log, which receives the output of all commands. */
export function openLog() {
  mkdirSync(buildFolder, { recursive: true });
  const file = openSync(logPath, 'w');
  return { write: (text) => writeSync(file, text), close: () => closeSync(file) };
}

/**
 * Runs a command with its output in the log. Rejects with a SetupError that contains the end of the output and `advice`.
 * `onLine` is called for each line of output.
 */
export function runCommand(log, command, args, { env = process.env, onLine, advice } = {}) {
  log.write(`\n$ ${[command, ...args].join(' ')}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const tail = [];
    // The cause is often printed long before the end of the output.
    const firstErrors = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        log.write(`${line}\n`);
        tail.push(line);
        if (tail.length > maxTailLines) tail.shift();
        if (firstErrors.length < maxErrorLines && /error/i.test(line) && !/warn/i.test(line)) firstErrors.push(line);
        onLine?.(line);
      });
    }
    const fail = (why) => {
      const output = [...firstErrors.filter((line) => !tail.includes(line)), ...tail].join('\n');
      const summary = `${command} ${args.join(' ')}: ${why}. Complete output: ${relative(process.cwd(), logPath) || logPath}`;
      reject(new SetupError([output, '', summary, ...(advice ? [advice] : [])].join('\n')));
    };
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) => (code === 0 ? resolve() : fail(signal ? `ended by ${signal}` : `exit code ${code}`)));
  });
}
