import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkSandbox, ProgramError, runSandboxed } from '../../../src/engine/child-processes/index.js';

const root = mkdtempSync(join(tmpdir(), 'framewright-confined-'));
const [folder, given, secret] = [join(root, 'own'), join(root, 'given'), join(root, 'secret')];
mkdirSync(folder);
for (const path of [given, secret]) writeFileSync(path, 'text');
afterAll(() => rm(root, { recursive: true, force: true }));

const run = (program: string, args: string[], seconds = 5): Promise<void> =>
  runSandboxed(program, { args, mode: 'required', folder, readable: [given], memoryMb: 256, seconds });
const layers = await checkSandbox();
const hasAll = ['landlock', 'seccomp', 'privileges'].every((name) => layers.find(({ layer }) => layer === name)?.on);

describe.skipIf(!hasAll)('a program that reads untrusted files', () => {
  it('reads its input, writes to its folder and cannot do anything else', async () => {
    await run('/bin/cp', [given, join(folder, 'copy')]);
    expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe('text');
    await expect(run('/bin/cp', [secret, join(folder, 'stolen')])).rejects.toThrow(/Permission denied/);
    await expect(run('/bin/cp', ['/etc/passwd', join(folder, 'stolen')])).rejects.toThrow(/Permission denied/);
    await expect(run('/bin/cp', [given, join(root, 'theirs')])).rejects.toThrow(/Permission denied/);
    expect(existsSync(join(folder, 'stolen'))).toBe(false);
    // It cannot run another program.
    await expect(run('/usr/bin/env', ['/bin/cp', given, join(folder, 'by another')])).rejects.toThrow(/Permission denied/);
  });

  it('is killed when it exceeds a limit', async () => {
    const at = performance.now();
    await expect(run('/usr/bin/yes', [], 1)).rejects.toThrow(ProgramError);
    await expect(run('/bin/dd', ['if=/dev/zero', 'of=/dev/null', 'bs=1k'], 1)).rejects.toThrow(ProgramError);
    await expect(run('/bin/dd', ['if=/dev/zero', 'of=/dev/null', 'bs=600M', 'count=1'])).rejects.toThrow(/memory/);
    expect(performance.now() - at).toBeLessThan(20_000);
  });
});
