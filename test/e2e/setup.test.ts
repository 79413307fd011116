import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A checkout that contains only set-up, and a folder that is the whole PATH. */
let checkout: string;
let programs: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'framewright-setup-'));
  programs = join(checkout, 'programs');
  mkdirSync(programs);
  cpSync(join(root, 'src/cli/setup'), join(checkout, 'src/cli/setup'), { recursive: true });
  symlinkSync('/bin/sh', join(programs, 'sh'));
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function addProgram(name: string, script: string): void {
  const path = join(programs, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

async function runSetup(folder: string, path: string, args: string[] = []): Promise<{ code: number | null; output: string; seconds: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(folder, 'src/cli/setup/setup.mjs'), ...args], {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output, seconds: (performance.now() - startedAt) / 1000 };
}

const nothingInstalled = 'exit 1';

describe('set-up', () => {
  it('takes less than two seconds when everything is current', async () => {
    const { code, output, seconds } = await runSetup(root, process.env.PATH ?? '', ['--quiet']);
    expect(output).toBe('');
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(2);
  });

  it('lists missing packages and how to install them without apt-get', async () => {
    addProgram('dpkg-query', nothingInstalled);
    addProgram('pkg-config', nothingInstalled);
    const { code, output } = await runSetup(checkout, programs);
    expect(code).toBe(1);
    expect(output).toContain('this system has no apt-get');
    expect(output).toMatch(/apt-get install -y --no-install-recommends .*cmake.*libavcodec-dev/);
    expect(output).not.toContain('libx264-dev');
  });

  it('requires the packages of the tests with --tests', async () => {
    addProgram('dpkg-query', nothingInstalled);
    addProgram('pkg-config', nothingInstalled);
    const { output } = await runSetup(checkout, programs, ['--tests']);
    expect(output).toContain('libx264-dev');
  });

  it('installs with apt-get only what dpkg lacks, and reports what is still missing', async () => {
    addProgram('dpkg-query', 'shift 2; for name; do [ "$name" = cmake ] || echo "$name installed"; done');
    addProgram('env', 'while [ $# -gt 0 ]; do case "$1" in *=*) shift;; *) break;; esac; done; exec "$@"');
    addProgram('sudo', '[ "$1" = -n ] && shift; exec "$@"');
    symlinkSync('/bin/true', join(programs, 'true'));
    addProgram('apt-get', 'echo "called with $*"');
    const { code, output } = await runSetup(checkout, programs);
    expect(output).toContain('installing 1 system packages (cmake)');
    expect(output).toContain('apt-get did not install them');
    expect(code).toBe(1);
  });

  it('takes over the lock of a dead process', async () => {
    addProgram('dpkg-query', nothingInstalled);
    addProgram('pkg-config', nothingInstalled);
    mkdirSync(join(checkout, 'build/setup.lock'), { recursive: true });
    // Larger than any process id.
    writeFileSync(join(checkout, 'build/setup.lock/owner'), '999999999');
    const { output } = await runSetup(checkout, programs);
    expect(output).toContain('this system has no apt-get');
    expect(existsSync(join(checkout, 'build/setup.lock'))).toBe(false);
  });

  it('rejects unknown options', async () => {
    const { code, output } = await runSetup(checkout, programs, ['--fast']);
    expect(code).toBe(1);
    expect(output).toContain('Unknown option --fast');
  });
});
