import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Renders on the command line; downloads from the private `host` are allowed. */
export async function renderScript(scriptPath, moviePath, host) {
  const child = spawn(process.execPath, [command, 'render', scriptPath, '-o', moviePath], {
    env: { ...process.env, FRAMEWRIGHT_ALLOW_PRIVATE_HOSTS: host },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (bytes) => {
    output += bytes;
  });
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output: output.replaceAll(/^(.*\r| *\d+ % .*\n?)/gm, '').trim() };
}
