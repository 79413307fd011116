import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const mainPath = fileURLToPath(new URL('../../main.js', import.meta.url));
const cliPath = fileURLToPath(new URL('../main.js', import.meta.url));

type ServiceEnvironment = Record<string, string | undefined>;

/** A running service; disposing of it stops the process. */
export interface ServiceProcess extends AsyncDisposable {
  /** http://127.0.0.1:port */
  readonly address: string;
}

/** Starts the service as a child process with its log in a file. Rejects if it does not start. */
export async function startServiceProcess(env: ServiceEnvironment, logPath: string): Promise<ServiceProcess> {
  const log = createWriteStream(logPath);
  const child = spawn(process.execPath, [mainPath], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.pipe(log);
  const ended = once(child, 'exit');
  const stopWithDemo = (): void => {
    child.kill('SIGTERM');
    process.exit(130);
  };
  process.once('SIGINT', stopWithDemo);
  process.once('SIGTERM', stopWithDemo);
  let lastOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    lastOutput = (lastOutput + chunk.toString()).slice(-2000);
  });
  const address = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /https?:\/\/[^\s"]+/.exec(output);
      if (found !== null) resolve(found[0]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The service did not start (exit code ${code}). Its last output:\n${lastOutput.trim()}`)));
  });
  return {
    address,
    [Symbol.asyncDispose]: async () => {
      process.off('SIGINT', stopWithDemo);
      process.off('SIGTERM', stopWithDemo);
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(killTimer);
      log.end();
    },
  };
}

/** Creates an API key with the command line, as an operator does. */
export async function createDemoKey(env: ServiceEnvironment): Promise<string> {
  const args = ['keys', 'create', '--account', 'demo', '--plan', 'pro', '--mode', 'live', '--credits', '100', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [cliPath, ...args], { env });
  return (JSON.parse(stdout) as { key: string }).key;
}
