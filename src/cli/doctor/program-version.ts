import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The first line that a program prints about itself, or undefined when it is not on PATH. */
export async function programVersion(program: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(program, args, { timeout: 10_000 });
    return firstLine(stdout) ?? firstLine(stderr) ?? 'found';
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    // Some programs tell their version with an exit code that is not 0; only ENOENT means that there is none.
    return code === 'ENOENT' ? undefined : (firstLine(stdout) ?? firstLine(stderr) ?? 'found, but it does not say its version');
  }
}

/** The first that has a version in it, if there is one: some programs tell their authors before. */
function firstLine(text: string): string | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => /\d\.\d/.test(line)) ?? lines[0];
}
