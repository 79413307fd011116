import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.js';

/** Built from native/sandbox. */
const launcher = fileURLToPath(new URL('../../../build/Release/framewright-sandbox', import.meta.url));

/** Path of the sandbox launcher; undefined when it is not built or the system is not Linux. */
export function sandboxLauncher(): string | undefined {
  return process.platform === 'linux' && existsSync(launcher) ? launcher : undefined;
}

const layers = {
  landlock: 'files: only its own folder',
  seccomp: 'system calls: no network, no other processes',
  privileges: 'privileges: none, and none to be gained',
  network: "network namespace, for Chromium and in seccomp's place",
};

/** State of one sandbox layer on this host. */
export interface SandboxLayer {
  /** `landlock`, `seccomp`, `privileges` or `network`. */
  layer: string;
  /** What the layer restricts. */
  purpose: string;
  on: boolean;
  /** Why the layer is off, or its version. */
  detail: string;
}

/** Tries every layer of the sandbox on this host. */
export async function checkSandbox(): Promise<SandboxLayer[]> {
  const program = sandboxLauncher();
  const without = (detail: string): SandboxLayer[] => Object.entries(layers).map(([layer, purpose]) => ({ layer, purpose, on: false, detail }));
  if (program === undefined) return without('native/sandbox is not built, or this is not Linux');
  try {
    const { code, stdout, stderr } = await runProgram(program, {
      args: ['--check'],
      stdin: '',
      folder: '/',
      environment: {},
      timeoutMs: 10_000,
      maxOutputBytes: 65_536,
    });
    if (code !== 0) throw new Error(stderr);
    const found = new Map(
      stdout
        .toString()
        .split('\n')
        .map((line) => [line.split('\t')[0], line.split('\t')]),
    );
    return Object.entries(layers).map(([layer, purpose]) => {
      const [, state, detail = ''] = found.get(layer) ?? [];
      return { layer, purpose, on: state === 'on', detail };
    });
  } catch (error) {
    return without(`the check failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  }
}
