import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Runs a program until it ends or reaches its time limit. With `show` its output goes straight to the terminal; otherwise it is collected
 * and printed if the program fails, and a line with the elapsed time appears every 30 s. With `isQuiet` the command is not printed.
 * With `niceness` above 0 it runs in the background: it leaves the processor to others, and prints nothing unless it fails.
 */
export function runProgram(command, args, { minutes, env = process.env, show = false, isQuiet = false, niceness = 0 }) {
  const isBackground = niceness > 0;
  if (!isQuiet && !isBackground) console.log(`$ ${[command, ...args].map((part) => part.replace(`${root}/`, '')).join(' ')}`);
  return new Promise((resolve) => {
    const [program, ...first] = [...(isBackground ? ['nice', '-n', String(niceness)] : []), command];
    const child = spawn(program, [...first, ...args], { cwd: root, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    const startedAt = Date.now();
    let output = '';
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const limit = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, minutes * 60_000);
    const progress = show || isBackground ? undefined : setInterval(() => console.log(`  … ${Math.round((Date.now() - startedAt) / 1000)} s`), 30_000);
    const finish = (code, signal) => {
      clearTimeout(limit);
      clearInterval(progress);
      if (code !== 0 && !show) {
        console.log(output);
      }
      resolve({ code, signal, timedOut, output });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      finish(127, undefined);
    });
    child.on('close', finish);
  });
}
