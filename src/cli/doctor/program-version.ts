import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The version line that a program prints; undefined if it is not on PATH or may not be executed. */
export async function programVersion(program: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(program, args, { timeout: 10_000 });
    return firstLine(stdout) ?? firstLine(stderr) ?? 'found';
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    // Some programs print their version and exit with an error. EACCES also comes from folders of PATH that cannot be read.
    return code === 'ENOENT' || code === 'EACCES' ? undefined : (firstLine(stdout) ?? firstLine(stderr) ?? 'found, version unknown');
  }
}

/** The first line that contains a version, else the first line: some programs print their authors before. */
function firstLine(text: string): string | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => /\d\.\d/.test(line)) ?? lines[0];
}
