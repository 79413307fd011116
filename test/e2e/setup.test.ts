import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A checkout that holds the set-up alone, on a machine whose programs are the ones given. */
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
  it('only looks, in less than two seconds, when everything is there', async () => {
    const { code, output, seconds } = await runSetup(root, process.env.PATH ?? '', ['--quiet']);
    expect(output).toBe('');
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(2);
  });

  it('names what is missing and how to get it where it cannot install: no apt-get', async () => {
    addProgram('dpkg-query', nothingInstalled);
    addProgram('pkg-config', nothingInstalled);
    const { code, output } = await runSetup(checkout, programs);
    expect(code).toBe(1);
    expect(output).toContain('there is no apt-get here');
    expect(output).toMatch(/apt-get install -y --no-install-recommends .*cmake.*libavcodec-dev/);
    expect(output).not.toContain('libx264-dev');
  });

  it('asks for the tests’ own packages when the tests are wanted', async () => {
    addProgram('dpkg-query', nothingInstalled);
    addProgram('pkg-config', nothingInstalled);
    const { output } = await runSetup(checkout, programs, ['--tests']);
    expect(output).toContain('libx264-dev');
  });

  it('installs through apt-get only what dpkg does not have, then says so when that did not help', async () => {
    addProgram('dpkg-query', 'shift 2; for name; do [ "$name" = cmake ] || echo "$name installed"; done');
    addProgram('env', 'while [ $# -gt 0 ]; do case "$1" in *=*) shift;; *) break;; esac; done; exec "$@"');
    addProgram('sudo', '[ "$1" = -n ] && shift; exec "$@"');
    symlinkSync('/bin/true', join(programs, 'true'));
    addProgram('apt-get', 'echo "called with $*"');
    const { code, output } = await runSetup(checkout, programs);
    expect(output).toContain('installing 1 system packages (cmake)');
    expect(output).toContain('they are still not there');
    expect(code).toBe(1);
  });

  it('takes over the lock of a set-up that died', async () => {
    addProgram('dpkg-query', nothingInstalled);
    addProgram('pkg-config', nothingInstalled);
    mkdirSync(join(checkout, 'build/setup.lock'), { recursive: true });
    // Above every process number that Linux gives out.
    writeFileSync(join(checkout, 'build/setup.lock/owner'), '999999999');
    const { output } = await runSetup(checkout, programs);
    expect(output).toContain('there is no apt-get here');
    expect(existsSync(join(checkout, 'build/setup.lock'))).toBe(false);
  });

  it('refuses options that it does not know', async () => {
    const { code, output } = await runSetup(checkout, programs, ['--fast']);
    expect(code).toBe(1);
    expect(output).toContain('Unknown option --fast');
  });
});
