import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Runs a program to its end or its time limit. Its output is shown as it comes (`show`), or only when it
 * fails; a sign of life appears every half minute either way.
 */
export function runProgram(command, args, { minutes, env = process.env, show = false }) {
  console.log(`$ ${[command, ...args].map((part) => part.replace(`${root}/`, '')).join(' ')}`);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
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
    const alive = show ? undefined : setInterval(() => console.log(`  … ${Math.round((Date.now() - startedAt) / 1000)} s`), 30_000);
    const finish = (code, signal) => {
      clearTimeout(limit);
      clearInterval(alive);
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
