import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildFolder, root } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

const logPath = join(buildFolder, 'setup.log');
const tailLines = 30;
const headLines = 12;

/** The log of this set-up; what commands print goes there instead of to the terminal. */
export function openLog() {
  mkdirSync(buildFolder, { recursive: true });
  const file = openSync(logPath, 'w');
  return {
    write: (text) => writeSync(file, text),
    close: () => closeSync(file),
  };
}

/**
 * Runs a command with its output in the log. Rejects with a SetupError that carries the end of that output.
 * `onLine` sees each line, for progress.
 */
export function runCommand(log, command, args, { env = process.env, onLine, failure } = {}) {
  log.write(`\n$ ${[command, ...args].join(' ')}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const tail = [];
    // The reason often stands far above a long epilogue of advice.
    const firstErrors = [];
    const collect = (stream) => {
      let rest = '';
      const take = (line) => {
        tail.push(line);
        if (firstErrors.length < headLines && /error/i.test(line) && !/warn/i.test(line)) {
          firstErrors.push(line);
        }
        if (tail.length > tailLines) {
          tail.shift();
        }
        onLine?.(line);
      };
      stream.setEncoding('utf8');
      stream.on('data', (chunk) => {
        log.write(chunk);
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(take);
      });
      stream.on('end', () => rest && take(rest));
    };
    collect(child.stdout);
    collect(child.stderr);
    const fail = (why) => {
      const advice = failure ? `\n${failure}` : '';
      reject(
        new SetupError(
          `${[...firstErrors.filter((line) => !tail.includes(line)), ...tail].join('\n')}\n\n${command} ${args.join(' ')}: ${why}. All of its output: ${relative(process.cwd(), logPath) || logPath}${advice}`,
        ),
      );
    };
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) => (code === 0 ? resolve() : fail(signal ? `ended by ${signal}` : `exit code ${code}`)));
  });
}
